import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

const TOLERANCE_SECONDS = 300;

const isGenuine = (headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`,
  );
  const given = String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each));
  return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
};

/** A receiver that hands on each genuine event once; keep the ids it has seen in your database. */
export const webhookReceiver = (secret: string, handle: (event: unknown) => void): Server => {
  const seen = new Set<unknown>();
  return createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    if (!isGenuine(request.headers, body, secret)) return response.writeHead(401).end();
    const id = request.headers['webhook-id'];
    if (!seen.has(id)) handle(JSON.parse(body.toString('utf8')));
    seen.add(id);
    return response.writeHead(204).end();
  });
};
