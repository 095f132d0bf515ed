import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';

/** Most of an answer that is read, in bytes; nobody looks at it. */
const MOST_READ = 64 * 1024;

/** A message to an address that was looked up and approved before. */
export interface Post {
  readonly url: URL;
  /** Where to connect to: nothing is looked up any more. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
}

/** What was answered. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The status decides; the rest is only read so that the receiver need not notice that nobody is interested. */
const readAway = (answer: IncomingMessage, done: () => void): void => {
  let read = 0;
  answer.on('data', (part: Buffer) => {
    read += part.length;
    if (read > MOST_READ) answer.destroy();
  });
  answer.on('error', () => {});
  answer.on('close', done);
};

/** Sends it, follows no redirect, and answers the status. Rejects with what the connection failed with. */
export const post = ({ url, address, headers, body, signal, ca }: Post): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secure = url.protocol === 'https:';
    const options: RequestOptions & { readonly servername?: string; readonly ca?: string } = {
      method: 'POST',
      host: address,
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
      // A connection of its own: one that is kept might lead to an address that is not the approved one.
      agent: false,
      signal,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    };
    let answered: Answered | undefined;
    const sent = (secure ? secureRequest : request)(options, (answer) => {
      const known = { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] };
      answered = known;
      readAway(answer, () => {
        sent.destroy();
        resolve(known);
      });
    });
    // What breaks once the status is there changes nothing.
    sent.on('error', (error) => (answered === undefined ? reject(error) : resolve(answered)));
    sent.end(body);
  });
