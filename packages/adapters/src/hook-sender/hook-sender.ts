import { createHmac, randomBytes } from 'node:crypto';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { WebhookAnswer, WebhookFailure, WebhookMessage, WebhookSender } from '@shipworthy/domain/ports';
import { type RunTime, runTime } from '../clock/run-time.js';
import { sealerOf, webhookContext } from '../crypto/secret-key.js';
import { unlessAborted } from '../host-http/timed-fetch.js';
import { parsedUrl } from '../host-http/web-address.js';
import { type AddressGuard, addressGuard, approvedAddress, nameResolver, type Resolve } from './address-guard.js';

export interface HookSenderOptions {
  /** The service's secret key; signing secrets are sealed under one derived from it. */
  readonly secretKey: Uint8Array;
  /** Host names, addresses and networks beyond the internet that may be reached; none unless given. */
  readonly targets?: readonly string[];
  /** Longest time for a message in milliseconds of run time, looking up included; 10,000 unless given. */
  readonly limitMs?: number;
  /** Measures the time limit; the run time of this process unless given. */
  readonly runTime?: RunTime;
  /** Looks hosts up; the name servers of the machine and its system do unless given. */
  readonly resolve?: Resolve;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
}

/** Signs messages after Standard Webhooks and sends them by Node's own client to addresses that were checked. */
export const hookSender = (options: HookSenderOptions): WebhookSender => {
  const { limitMs = TIME_LIMIT, runTime: time = runTime, ca } = options;
  const guard = addressGuard(options.targets ?? []);
  const resolve = options.resolve ?? nameResolver(guard.names);
  const seals = sealerOf(options.secretKey, 'webhook secrets');

  const headersOf = (
    { id, at, body }: WebhookMessage,
    secrets: readonly string[],
  ): Readonly<Record<string, string>> => {
    const timestamp = Math.floor(at / 1000);
    return {
      'content-type': 'application/json',
      'user-agent': 'Shipworthy-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id, timestamp, body }, secrets),
    };
  };

  const attempt = async (message: WebhookMessage, signal: AbortSignal): Promise<Answered | WebhookFailure> => {
    const secrets = message.secrets.flatMap((sealed) => seals.unseal(sealed, webhookContext(message.webhookId)) ?? []);
    if (secrets.length === 0) return 'secret_unreadable';
    // The settings may have become stricter since the address was stored.
    if (refusal(message.url, guard) !== null) return 'refused_address';
    try {
      const url = new URL(message.url);
      const address = await unlessAborted(signal, approvedAddress(hostOf(url), guard, resolve, signal));
      // An internal name fails like one that does not exist, so that deliveries do not tell which internal names there are.
      if (address === undefined) return isIP(hostOf(url)) === 0 ? 'unresolved' : 'refused_address';
      const headers = headersOf(message, secrets);
      return await post({ url, address, headers, body: message.body, signal, ...(ca === undefined ? {} : { ca }) });
    } catch (error) {
      return failureOf(error, signal);
    }
  };

  return {
    refusal: (url) => refusal(url, guard),
    newSecret: (webhookId) => {
      const secret = secretText(randomBytes(SECRET_BYTES));
      return { secret, sealed: seals.seal(secret, webhookContext(webhookId)) };
    },
    jitter: (ms) => ms * (1 - JITTER + 2 * JITTER * Math.random()),
    send: async (message): Promise<WebhookAnswer> => {
      const began = performance.now();
      const limit = new AbortController();
      const stop = time.after(limitMs, () => limit.abort());
      const outcome = await attempt(message, limit.signal).finally(stop);
      const ms = Math.round(performance.now() - began);
      if (typeof outcome === 'string') return { ms, status: null, failure: outcome, retryAfterMs: null };
      const retryAfterMs = retryAfterOf(outcome.retryAfter, message.at);
      return { ms, status: outcome.status, failure: null, retryAfterMs };
    },
  };
};

const UNRESOLVED = /^(ENOTFOUND|EAI_\w+|ENODATA)$/;
const CUT = /^(ECONNRESET|EPIPE|ECONNABORTED|HPE_\w+)$/;
const SECURE = /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;

/** What an error of a connection means. */
const failureOf = (error: unknown, signal: AbortSignal): WebhookFailure => {
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNRESOLVED.test(code)) return 'unresolved';
  if (CUT.test(code)) return 'cut';
  return SECURE.test(code) ? 'secure_connection' : 'unreachable';
};

/** Returns the milliseconds to wait by a `Retry-After` (seconds or a date); null: none, or unreadable. */
const retryAfterOf = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
};

/** Most of an answer that is read, in bytes; the content is not used. */
const MOST_READ = 64 * 1024;

/** Most interim answers (1xx) of a receiver. Each costs work, and a receiver could send many before the time limit. */
const MOST_INTERIM = 10;

/** A message to an address that was looked up and approved before. */
interface Post {
  readonly url: URL;
  /** The address to connect to; the host name is not looked up again. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
}

/** The answer of the receiver. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Only the status counts; the body is read and dropped so that the receiver sees no broken connection. */
const readAway = (answer: IncomingMessage, done: () => void): void => {
  let read = 0;
  answer.on('data', (part: Buffer) => {
    read += part.length;
    if (read > MOST_READ) answer.destroy();
  });
  answer.on('error', () => {});
  answer.on('close', done);
};

const cut = (message: string): Error => Object.assign(new Error(message), { code: 'EPIPE' });

/** Sends a message, follows no redirect, and returns the status. Rejects with the connection's error. */
const post = ({ url, address, headers, body, signal, ca }: Post): Promise<Answered> =>
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
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) sent.destroy(cut('Nothing but interim answers.'));
    });
    // An error after the status has arrived changes nothing.
    sent.on('error', (error) => (answered === undefined ? reject(error) : resolve(answered)));
    // A receiver that changes the protocol (101) ends the request without an answer and without an error. After an
    // answer, this rejection changes nothing.
    sent.on('close', () => answered ?? reject(cut('The connection ended without an answer.')));
    sent.end(body);
  });

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

const SECRET_BYTES = 32;
const TIME_LIMIT = 10_000;
/** The largest random change of a pause, as a part of the pause. */
const JITTER = 0.1;

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const refusal = (text: string, guard: AddressGuard): string | null => {
  const url = parsedUrl(text);
  if (url === undefined) return 'This is no address.';
  if (!/^https?:$/.test(url.protocol)) return 'Events are sent by http and https only.';
  if (url.username !== '' || url.password !== '') return 'The address must hold no user and no password.';
  const host = hostOf(url);
  if (guard.names(host)) return null;
  const local = /(^|\.)localhost\.?$/.test(host) || (isIP(host) !== 0 && !guard.admits(host));
  return local ? 'Nothing is sent to internal addresses, unless SHIPWORTHY_WEBHOOK_TARGETS names them.' : null;
};
