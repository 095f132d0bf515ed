import type { Instant } from '@shipworthy/domain';
import type { Clock } from '@shipworthy/domain/ports';
import { type RunTime, runTime } from '../clock/run-time.js';
import { type HostAnswer, hostUnavailable, isTransientHostFailure } from './answer-meaning.js';
import { parsedUrl } from './web-address.js';

/** A request to a host. */
export interface HostRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The moment by which the answer must be here, on the service's clock. */
  readonly deadline: Instant;
}

export type TimedFetch = (request: HostRequest) => Promise<HostAnswer>;

export interface FetchSettings {
  /** The host's name for people. */
  readonly title: string;
  readonly clock: Clock;
  /** Counts the time left until a deadline; the run time of this process unless given. */
  readonly runTime?: RunTime;
  /** Most bytes of an answer; 32 MiB unless given, which 100 rows with long texts do not reach. */
  readonly limit?: number;
}

/**
 * Sends requests with the global `fetch` and settles by the deadline in any case. A GET that fails on the way or with
 * 5xx (without `Retry-After`) is sent once more if time is left, but not for an answer that was too large; other methods
 * cannot be repeated safely. At most one redirect of a GET is followed, to the same origin only, since the request carries
 * a grant.
 * Throws `host-unavailable` with cause `timeout`, `unreachable`, `cut` or `redirected`; returns every other status.
 */
export const timedFetch = ({ title, clock, limit = LIMIT, runTime: time = runTime }: FetchSettings): TimedFetch => {
  const tooLate = () => hostUnavailable('timeout', `${title} did not answer in time.`);

  const exchange = async (request: HostRequest, url: URL, signal: AbortSignal): Promise<HostAnswer> => {
    const { method, headers, body } = request;
    const sent = body === undefined ? { method, headers } : { method, headers, body };
    const response = await unlessAborted(signal, fetch(url.href, { ...sent, signal, redirect: 'manual' })).catch(() => {
      throw signal.aborted ? tooLate() : hostUnavailable('unreachable', `${title} cannot be reached.`);
    });
    const text = await unlessAborted(signal, cappedText(response, limit)).catch((error: unknown) => {
      if (signal.aborted) throw tooLate();
      throw error instanceof TooLarge ? error : hostUnavailable('cut', `The answer of ${title} broke off.`);
    });
    return { status: response.status, headers: response.headers, text };
  };

  const followed = async (request: HostRequest, signal: AbortSignal): Promise<HostAnswer> => {
    let url = request.url;
    for (let hops = 0; hops <= 1; hops += 1) {
      const answer = await exchange(request, url, signal);
      if (!REDIRECTS.has(answer.status)) return answer;
      const location = answer.headers.get('location') ?? '';
      const next = parsedUrl(location, url);
      if (request.method !== 'GET' || next?.origin !== request.url.origin) break;
      url = next;
    }
    throw hostUnavailable(
      'redirected',
      `${title} sent the request elsewhere (${request.url.origin} is not its address).`,
    );
  };

  const once = async (request: HostRequest): Promise<HostAnswer> => {
    const left = request.deadline - clock();
    if (left <= 0) throw tooLate();
    const controller = new AbortController();
    // Counted in run time: a host is not late because this process was held up.
    const stop = time.after(left, () => controller.abort());
    return followed(request, controller.signal).finally(stop);
  };

  const repeated = async (request: HostRequest): Promise<HostAnswer> => {
    const worthRepeating = () => request.method === 'GET' && request.deadline - clock() >= WORTH_A_TRY_MS;
    try {
      const answer = await once(request);
      // Not repeated when the host says when to come back.
      const wait = answer.headers.has('retry-after');
      return answer.status >= 500 && !wait && worthRepeating() ? await once(request) : answer;
    } catch (error) {
      if (isTransientHostFailure(error) && worthRepeating()) return once(request);
      throw error;
    }
  };

  return (request) =>
    repeated(request).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      throw hostUnavailable('cut', `The answer of ${title} is too large to be read.`);
    });
};

/**
 * Settles as the work does, and rejects as soon as the signal is aborted. Listens to the signal until the work has ended. Node may
 * leave an aborted fetch, or the reading of its body, pending for ever (https://github.com/nodejs/node/issues/56917).
 */
export const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

/** Thrown when an answer is larger than the limit. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Reads an answer whole, as UTF-8. @throws TooLarge after `limit` bytes, so that no host can fill the memory. */
export const cappedText = async (response: Response, limit: number): Promise<string> => {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Leaving the loop by an error cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

const LIMIT = 32 * 1024 * 1024;
/** With less time than this left a second try would only end in a time-out that hides what really happened. */
const WORTH_A_TRY_MS = 200;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
