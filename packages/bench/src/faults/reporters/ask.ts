import { type Agent, request } from 'node:http';

/** A request to a server of 127.0.0.1. */
export interface Asking {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** From sending to the last byte, in milliseconds. */
  readonly took: number;
  /** When it was sent, on the clock of `performance.now()`. */
  readonly sentAt: number;
}

/** Whether it was done, may be tried again as the answer says, or is an answer that nobody should get. */
export const meaningOf = ({ status, retryAfter }: Reply): 'done' | 'again' | 'stray' => {
  if (status >= 200 && status < 300) return 'done';
  const isRefusal = status === 503 || status === 429 || status === 409;
  return isRefusal && retryAfter !== undefined ? 'again' : 'stray';
};

/** A request that got no whole answer. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  /** @param code the failure's code, or its words */
  constructor(
    readonly code: string,
    where: string,
  ) {
    super(`${code} on ${where}`);
  }
  /** Whether nobody listened: nothing was sent. */
  get isRefused(): boolean {
    return this.code === 'ECONNREFUSED';
  }
}

/** Sends a request and waits for the whole answer; rejects with BrokenOff when the connection breaks before, or after `patienceMs`. */
export const ask = (agent: Agent, port: number, asking: Asking, patienceMs: number): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const text = asking.body === undefined ? '' : JSON.stringify(asking.body);
    const headers = text === '' ? asking.headers : { ...asking.headers, 'Content-Type': 'application/json' };
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method: asking.method,
      path: asking.path,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(text) },
    });
    const timer = setTimeout(() => sent.destroy(new Error(`No answer within ${patienceMs} ms.`)), patienceMs);
    const fail = (cause: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      const where = sent.reusedSocket ? 'a kept connection' : 'a new connection';
      reject(new BrokenOff(cause.code ?? cause.message, where));
    };
    sent.on('error', fail);
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        const { statusCode: status = 0 } = response;
        resolve({
          status,
          retryAfter: response.headers['retry-after'],
          body,
          took: performance.now() - sentAt,
          sentAt,
        });
      });
    });
    sent.end(text);
  });
