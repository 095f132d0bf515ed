import type { EventType } from './contract/webhook.js';
import { type Circumstances, memberOf, ProblemError, ShipworthyError, UnexpectedAnswerError } from './error.js';
import { readAnswer } from './read-answer.js';
import { abortable, isTransient, retryDelayMs } from './send.js';
import { type ClientOptions, checkedSettings, type Settings } from './settings.js';

/** An event of a release, in the form in which webhooks receive it. Unknown members are kept. */
export interface FollowedEvent {
  readonly type: EventType;
  /** Unique to this event. */
  readonly id: string;
  /** When it happened, as RFC 3339 in UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly team_id: string;
    readonly project: { readonly id: string; readonly name: string };
    readonly release: { readonly id: string; readonly name: string };
    /** 0 to 100; null where nothing is measured. */
    readonly score: number | null;
    readonly decision: 'go' | 'hold' | 'unknown';
    readonly before?: { readonly score: number | null; readonly decision: 'go' | 'hold' | 'unknown' } | null;
  };
}

/** The stream is open, or something may have been missed: read what is shown. */
export interface Resync {
  readonly type: 'resync';
}

interface FollowOptions {
  /** Only the events of this project. */
  readonly projectId?: string;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** The server sends a comment every 15 s. When three are missing, the connection is dead and is made again. */
const SILENT_MS = 45_000;

/** The longest line, and the longest event, that is read, in characters; the longest that is sent has some thousand. */
const LONGEST = 1_000_000;

/** When a connection lasted this many milliseconds, the next one counts as a first try again. */
const LASTING_MS = 10_000;

const TYPES: ReadonlySet<string> = new Set<EventType>([
  'readiness.changed',
  'gate.changed',
  'release.activated',
  'release.shipped',
  'release.canceled',
]);

const RESYNC: Resync = Object.freeze({ type: 'resync' });

/**
 * Yields the lines of a body until the connection is aborted; aborts it itself after SILENT_MS of silence. Looks at
 * each character only once, even in a line of many pieces.
 */
async function* linesOf(body: ReadableStream<Uint8Array>, connection: AbortController): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // A line that comes in many pieces is put together once, at its end: a server may send it character by character.
  let pieces: string[] = [];
  let length = 0;
  let isAfterReturn = false;
  try {
    for (;;) {
      const timer = setTimeout(() => connection.abort(), SILENT_MS);
      const { done, value } = await abortable(connection.signal, reader.read()).finally(() => clearTimeout(timer));
      if (done) return;
      const decoded = decoder.decode(value, { stream: true });
      if (decoded === '') continue;
      // The two characters of one line break may come in two pieces.
      const text = isAfterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
      isAfterReturn = decoded.endsWith('\r');
      const [first = '', ...others] = text.split(/\r\n|\n|\r/);
      pieces.push(first);
      length += first.length;
      for (const next of others) {
        yield pieces.join('');
        pieces = [next];
        length = next.length;
      }
      if (length > LONGEST) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Makes an event of its fields: `resync` where they cannot be understood, undefined where there is no type. */
const eventOf = (type: string, id: string, data: string): FollowedEvent | Resync | undefined => {
  if (type === '') return undefined;
  if (!TYPES.has(type)) return RESYNC;
  try {
    const said: unknown = JSON.parse(data);
    const about = memberOf(said, 'data');
    if (typeof about !== 'object' || about === null) return RESYNC;
    return { ...(said as Omit<FollowedEvent, 'type' | 'id'>), type: type as EventType, id };
  } catch {
    return RESYNC;
  }
};

/** The events of a stream of server-sent events, after the HTML standard. */
async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<FollowedEvent | Resync> {
  let [type, id] = ['', ''];
  let data: string[] = [];
  let length = 0;
  for await (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') type = value;
    else if (name === 'id') id = value;
    else if (name === 'data') {
      // Empty lines count, too: they are kept like others.
      length += value.length + 1;
      if (length > LONGEST) return;
      data.push(value);
    } else if (line === '') {
      const event = eventOf(type, id, data.join('\n'));
      if (event !== undefined) yield event;
      type = '';
      data = [];
      length = 0;
    }
  }
}

/** Opens the stream. @throws ShipworthyError when something else is answered */
const open = async (
  settings: Settings,
  { projectId, signal }: { readonly projectId: string | undefined; readonly signal: AbortSignal },
  attempts: number,
): Promise<ReadableStream<Uint8Array>> => {
  const query = projectId === undefined ? '' : `?project_id=${encodeURIComponent(projectId)}`;
  const response = await settings.fetch(`${settings.base}/api/events${query}`, {
    headers: { ...settings.headers, accept: 'text/event-stream' },
    redirect: 'manual',
    ...(settings.credentials && { credentials: settings.credentials }),
    signal,
  });
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 200 && response.body !== null && /^text\/event-stream\b/i.test(type)) return response.body;
  const known: Circumstances = { operation: 'followEvents', attempts, requestId: null, idempotencyKey: null };
  const refused = response.ok
    ? new UnexpectedAnswerError('answered something else than events', response.status, type, '', null, known)
    : await readAnswer(response, { ...known, route: ['GET', '/api/events'], conditional: false }, settings.hide);
  throw refused;
};

/** How many milliseconds to wait before the next try. @throws the failure itself where another try would not help */
const waitAfter = (failure: unknown, attempts: number, random: number): number => {
  const answered = failure instanceof ProblemError || failure instanceof UnexpectedAnswerError ? failure : null;
  if (failure instanceof ShipworthyError && !isTransient(answered?.status ?? 0)) throw failure;
  return retryDelayMs(attempts, answered?.retryAfterMs ?? null, random);
};

/**
 * Follows what happens to releases, for as long as it is iterated. Each time the stream is open, the first time too, `resync`
 * comes first: what is read then misses nothing that comes later. Connections that end, fail or fall silent are made again;
 * nothing is replayed. Ends when the signal is aborted.
 * @throws ProblemError where it is refused for good (401, 403, 404), UnexpectedAnswerError where something else answers
 */
export async function* releaseEvents(
  options: ClientOptions,
  { projectId, signal: outer }: FollowOptions = {},
): AsyncGenerator<FollowedEvent | Resync, void, undefined> {
  const settings = checkedSettings(options);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (outer?.aborted) end();
  outer?.addEventListener('abort', end);
  try {
    for (let attempts = 1; !ended.signal.aborted; attempts += 1) {
      const connection = new AbortController();
      const cut = (): void => connection.abort();
      ended.signal.addEventListener('abort', cut);
      let openedAt = Number.POSITIVE_INFINITY;
      let failure: unknown;
      try {
        const silence = setTimeout(cut, SILENT_MS);
        const opening = open(settings, { projectId, signal: connection.signal }, attempts);
        const body = await abortable(connection.signal, opening).finally(() => clearTimeout(silence));
        openedAt = performance.now();
        yield RESYNC;
        yield* eventsIn(linesOf(body, connection));
      } catch (thrown) {
        if (ended.signal.aborted) return;
        failure = thrown;
      } finally {
        cut();
        ended.signal.removeEventListener('abort', cut);
      }
      if (performance.now() - openedAt >= LASTING_MS) attempts = 1;
      const wait = waitAfter(failure, attempts, settings.random());
      await settings.sleep(wait, ended.signal);
    }
  } finally {
    end();
    outer?.removeEventListener('abort', end);
  }
}
