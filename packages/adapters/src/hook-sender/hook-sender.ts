import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { HookAnswer, HookFailure, HookMessage, HookSender } from '@shipworthy/domain';
import { type RunTime, runTime } from '../clock/index.js';
import { sealerOf, webhookPlace } from '../crypto/sealed-place.js';
import { parsedUrl } from '../host-http/parsed-url.js';
import { type AddressGuard, addressGuard } from './address-guard.js';
import { failureOf, retryAfterOf } from './failure.js';
import { type Answered, post } from './post.js';
import { approvedAddress, type Resolve, resolveBySystem } from './resolve.js';
import { secretText, signatures } from './signature.js';

const SECRET_BYTES = 32;
const TIME_LIMIT = 10_000;
/** How far a pause is moved, at most, as a part of it. */
const SPREAD = 0.1;

export interface HookSenderOptions {
  /** The service's secret key; signing secrets are sealed under one derived from it. */
  readonly secretKey: Uint8Array;
  /** Host names, addresses and networks beyond the internet that may be reached; none unless given. */
  readonly targets?: readonly string[];
  /** Longest time for a message in milliseconds of run time, looking up included; 10,000 unless given. */
  readonly limitMs?: number;
  /** What the limit counts on; the run time of this process unless given. */
  readonly runTime?: RunTime;
  /** Looks hosts up; the system does unless given. */
  readonly resolve?: Resolve;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
}

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

/** Rejects when the signal does. */
const within = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Signs messages after Standard Webhooks and sends them by Node's own client to addresses that were checked. */
export const hookSender = (options: HookSenderOptions): HookSender => {
  const { limitMs = TIME_LIMIT, runTime: time = runTime, resolve = resolveBySystem, ca } = options;
  const guard = addressGuard(options.targets ?? []);
  const seals = sealerOf(options.secretKey, 'webhook secrets');

  const headersOf = ({ id, at, body }: HookMessage, secrets: readonly string[]): Readonly<Record<string, string>> => {
    const timestamp = Math.floor(at / 1000);
    return {
      'content-type': 'application/json',
      'user-agent': 'Shipworthy-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id, timestamp, body }, secrets),
    };
  };

  const attempt = async (message: HookMessage, signal: AbortSignal): Promise<Answered | HookFailure> => {
    const secrets = message.secrets.flatMap((sealed) => seals.unseal(sealed, webhookPlace(message.webhookId)) ?? []);
    if (secrets.length === 0) return 'secret_unreadable';
    // The settings may have become stricter since the address was stored.
    if (refusal(message.url, guard) !== null) return 'refused_address';
    try {
      const url = new URL(message.url);
      const address = await within(approvedAddress(hostOf(url), guard, resolve), signal);
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
      return { secret, sealed: seals.seal(secret, webhookPlace(webhookId)) };
    },
    spread: (ms) => ms * (1 - SPREAD + 2 * SPREAD * Math.random()),
    send: async (message): Promise<HookAnswer> => {
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
