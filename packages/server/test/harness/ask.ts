import { request } from 'node:http';

/** An answer as it came over the socket; header names in lower case. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: Record<string, unknown> | undefined;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
  /** Without a length: in chunks. */
  readonly chunked?: boolean;
}

const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body);

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends one request over a connection of its own; the path goes out as it is, however odd. */
export const ask = (url: string, path: string, { method = 'GET', headers = {}, body, chunked }: Asked = {}) =>
  new Promise<Answered>((resolve, reject) => {
    const raw = body === undefined || isRaw(body) ? body : JSON.stringify(body);
    const length = raw === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(raw)) };
    const type = raw === undefined ? {} : { 'content-type': 'application/json' };
    const { hostname, port } = new URL(url);
    const options = { hostname, port, path, method, headers: { ...type, ...length, ...headers }, agent: false };
    const sent = request(options, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const answered = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: message.statusCode ?? 0, headers: Object.fromEntries(answered), text, json: parsed(text) });
      });
    });
    sent.once('error', reject);
    sent.end(raw);
  });
