import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A signing secret in the form of Standard Webhooks. */
export const secretText = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`;

/** The parts of a message that are signed. */
export interface Signed {
  readonly id: string;
  /** Unix time in whole seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: one `v1` signature per secret. Source: Standard Webhooks 1.0.0, "Signature scheme". */
export const signatures = ({ id, timestamp, body }: Signed, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
    })
    .join(' ');
