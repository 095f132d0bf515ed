import { type IncomingMessage, request } from 'node:http';

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

const readAnswer = (message: IncomingMessage, resolve: (answer: Answered) => void, reject: (error: Error) => void) => {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.once('error', reject);
  message.once('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const answered = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
    resolve({ status: message.statusCode ?? 0, headers: Object.fromEntries(answered), text, json: parsed(text) });
  });
};

/** The head of a request over a connection of its own; the path goes out as it is, however odd. */
const headOf = (url: string, path: string, { method = 'GET', headers = {}, body, chunked }: Asked) => {
  const raw = body === undefined || isRaw(body) ? body : JSON.stringify(body);
  const length = raw === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(raw)) };
  const type = raw === undefined ? {} : { 'content-type': 'application/json' };
  const { hostname, port } = new URL(url);
  const options = { hostname, port, path, method, headers: { ...type, ...length, ...headers }, agent: false };
  return { raw, options };
};

/** Sends one request over a connection of its own; the path goes out as it is, however odd. */
export const ask = (url: string, path: string, asked: Asked = {}) =>
  new Promise<Answered>((resolve, reject) => {
    const { raw, options } = headOf(url, path, asked);
    const sent = request(options, (message) => readAnswer(message, resolve, reject));
    sent.once('error', reject);
    sent.end(raw);
  });

/** Begins a request and keeps its body back until `finish`; resolves once the service has taken up the request. */
export const begin = (url: string, path: string, asked: Asked) =>
  new Promise<{ finish(): Promise<Answered> }>((begun, reject) => {
    const { raw, options } = headOf(url, path, asked);
    const sent = request({ ...options, headers: { ...options.headers, expect: '100-continue' } });
    const answered = new Promise<Answered>((resolve, fail) => {
      sent.once('response', (message) => readAnswer(message, resolve, fail));
      sent.once('error', fail);
    });
    answered.catch(reject);
    sent.once('continue', () =>
      begun({
        finish: () => {
          sent.end(raw);
          return answered;
        },
      }),
    );
    sent.flushHeaders();
  });
