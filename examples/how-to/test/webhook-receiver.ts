import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';

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

/** Messages have some kilobytes; of a longer one no more is read. */
const LARGEST_BODY = 256 * 1024;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > LARGEST_BODY) throw new Error('The message is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** A receiver that hands on each genuine event once; keep the ids it has seen in your database. */
export const webhookReceiver = (secret: string, handle: (event: unknown) => void): Server => {
  const seen = new Set<unknown>();
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await bodyOf(request);
    if (!isGenuine(request.headers, body, secret)) return 401;
    const id = request.headers['webhook-id'];
    if (!seen.has(id)) handle(JSON.parse(body.toString('utf8')));
    seen.add(id);
    return 204;
  };
  return createServer((request, response) => {
    // Anybody may cut a message short; without this it would end the process.
    const failed = () => (response.headersSent ? response.destroy() : response.writeHead(500).end());
    receive(request).then((status) => response.writeHead(status).end(), failed);
  });
};
