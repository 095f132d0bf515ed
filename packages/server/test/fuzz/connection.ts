import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An answer as it came over the socket; header names in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What goes over the socket. */
export interface Message {
  readonly method: string;
  /** As it goes into the first line. */
  readonly target: string;
  /** Names and values; a value may hold any byte but line breaks. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

/** Every message has it. */
export const HOST = ['Host', '127.0.0.1'] as const;

/** Any call that takes longer is a failure, in milliseconds. */
const LIMIT = 30_000;

const headOf = (text: string) => {
  const [first = '', ...lines] = text.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(first.split(' ')[1]), headers };
};

/** The body in chunks that came so far; null: not all of it is here. */
const joined = (raw: Buffer): Buffer | null => {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(raw.toString('latin1', at, end), 16);
    if (raw.length < end + 2 + size + 2) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
};

/** The text of a body, compressed or not. */
const textOf = (body: Buffer, { 'content-encoding': coding }: Answer['headers']): string => {
  const plain = coding === 'gzip' ? gunzipSync(body) : coding === 'br' ? brotliDecompressSync(body) : body;
  return plain.toString('utf8');
};

/** Reads an answer out of what came so far; null: not all of it is here. */
const answerIn = (raw: Buffer, method: string): (Answer & { readonly last: boolean }) | null => {
  const end = raw.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const { status, headers } = headOf(raw.toString('latin1', 0, end));
  const rest = raw.subarray(end + 4);
  const stream = headers['content-type']?.startsWith('text/event-stream') === true;
  const last = stream || headers.connection === 'close';
  if (method === 'HEAD' || status === 204 || status === 304) return { status, headers, text: '', last };
  // A stream goes on for ever: its beginning is enough.
  if (stream) return rest.length === 0 ? null : { status, headers, text: rest.toString('utf8'), last };
  if (headers['transfer-encoding'] === 'chunked') {
    const body = joined(rest);
    return body && { status, headers, text: textOf(body, headers), last };
  }
  const length = Number(headers['content-length'] ?? 0);
  return rest.length < length ? null : { status, headers, text: textOf(rest.subarray(0, length), headers), last };
};

const bytesOf = ({ method, target, headers, body }: Message): Buffer => {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  return body === null ? head : Buffer.concat([head, body]);
};

/** A client that sends what no careful client would; one request at a time over one connection, which is made anew when it ends. */
export interface Connection {
  exchange(message: Message): Promise<Answer>;
  close(): void;
}

export const openConnection = (port: number): Connection => {
  let socket: Socket | undefined;
  let waiting: { readonly onData: (data: Buffer) => void; readonly onEnd: (why: string) => void } | undefined;

  const fresh = (): Socket => {
    const made = connect({ host: '127.0.0.1', port, noDelay: true });
    made.on('data', (data) => waiting?.onData(data));
    made.on('error', (error) => socket === made && waiting?.onEnd(error.message));
    made.on('close', () => {
      if (socket !== made) return;
      socket = undefined;
      waiting?.onEnd('The connection ended.');
    });
    return made;
  };
  const drop = (): void => {
    const former = socket;
    socket = undefined;
    former?.destroy();
  };

  return {
    exchange: (message) =>
      new Promise((resolve, reject) => {
        let raw: Buffer = Buffer.alloc(0);
        const timer = setTimeout(() => onEnd(`There was no answer within ${LIMIT} ms.`), LIMIT);
        const settle = (act: () => void): void => {
          clearTimeout(timer);
          waiting = undefined;
          act();
        };
        const onEnd = (why: string): void => {
          drop();
          settle(() => reject(new Error(`${why} So far came: ${raw.toString('latin1').slice(0, 500)}`)));
        };
        const onData = (data: Buffer): void => {
          raw = raw.length === 0 ? data : Buffer.concat([raw, data]);
          const answer = answerIn(raw, message.method);
          if (answer === null) return;
          if (answer.last) drop();
          settle(() => resolve(answer));
        };
        waiting = { onData, onEnd };
        socket ??= fresh();
        socket.write(bytesOf(message));
      }),
    close: drop,
  };
};
