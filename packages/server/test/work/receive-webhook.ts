import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A message after Standard Webhooks, as a receiver reads it. */
export interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The message, if one of its signatures is by the secret; undefined otherwise. */
export const verified = (headers: IncomingHttpHeaders, body: string, secret: string): Message | undefined => {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(content).digest();
  const given = String(headers['webhook-signature']).split(' ');
  const right = given.some((each) => {
    const bytes = Buffer.from(each.replace('v1,', ''), 'base64');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  return right ? (JSON.parse(body) as Message) : undefined;
};
