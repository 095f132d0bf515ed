import type { Principal } from '@shipworthy/domain';
import type { SetCommonHeaders } from './answer.js';
import { createSharedLimit } from './limits.js';
import { Problem } from './problem.js';
import type { RequestContext } from './request.js';
import type { EventStream } from './route.js';

/** Bounds of event streams; times in milliseconds. */
export const STREAM_LIMITS = {
  mostPerPrincipal: 20,
  /** Streams of one person over all their keys and sessions; fewer once others have many. */
  mostPerPerson: 200,
  mostAtOnce: 1000,
  /** Most bytes that wait for a reader. A reader with more is behind, and gets nothing further until they are read. */
  mostPending: 256 * 1024,
  /** A reader who is behind for longer is cut off. */
  mostBehind: 15_000,
  heartbeatEvery: 15_000,
  /** How often a stream is authorised again. A principal may be cached for a second, so revocation acts within two. */
  authoriseEvery: 1000,
  /** How long the client may take to read the last frames. */
  lastWords: 1000,
} as const;
export type StreamLimits = { readonly [Name in keyof typeof STREAM_LIMITS]: number };

/** Tells the client to reconnect after 2,000 ms. */
const FIRST_FRAME = 'retry: 2000\n\n';
const HEARTBEAT = ':\n\n';
/** Tells the client that events may have been missed. */
export const RESYNC_FRAME = 'event: resync\ndata: {}\n\n';

/** Returns the present principal of the stream's request. Throws, or rejects, when its credential no longer works. */
type Authorise = () => Principal | Promise<Principal>;

/** The open event streams: bounded in number and in what waits for their readers, and authorised again and again. */
export interface EventStreams {
  readonly count: number;
  /**
   * Answers with a stream; resolves when it is over.
   * @throws Problem `too-many-requests`, `unavailable` before anything was answered
   */
  open(ctx: RequestContext, principal: Principal, stream: EventStream, authorise: Authorise): Promise<void>;
  /** Ends all streams and refuses new ones. */
  end(): void;
}

interface OpenStream {
  readonly owner: Principal;
  lookAgain(): void;
  end(): void;
}

export const createEventStreams = (
  setHeaders: SetCommonHeaders,
  monotonic: () => number,
  limits: StreamLimits = STREAM_LIMITS,
): EventStreams => {
  const all = new Set<OpenStream>();
  const share = createSharedLimit(limits.mostAtOnce, limits.mostAtOnce / limits.mostPerPerson);
  let ended = false;
  const sweep = setInterval(() => {
    for (const stream of [...all]) stream.lookAgain();
  }, limits.authoriseEvery);
  sweep.unref();

  const tooMany = (detail: string): Problem => new Problem('too-many-requests', detail, { retryAfter: 5 });

  const refuseMore = ({ kind, id, userId }: Principal): void => {
    if (ended) throw new Problem('unavailable', 'The service is shutting down.', { retryAfter: 5 });
    const crossed = share.crossed(userId, 1);
    if (crossed === 'all')
      throw new Problem('unavailable', 'The service has as many streams open as it can.', { retryAfter: 5 });
    const ofPrincipal = [...all].filter(({ owner }) => owner.kind === kind && owner.id === id);
    if (ofPrincipal.length >= limits.mostPerPrincipal)
      throw tooMany(`A key or session has ${limits.mostPerPrincipal} event streams at most; close one first.`);
    if (crossed === 'caller')
      throw tooMany(
        `A person has ${limits.mostPerPerson} event streams at most, and fewer while others have many; close one first.`,
      );
  };

  const begin = (ctx: RequestContext, first: Principal, stream: EventStream, authorise: Authorise): OpenStream => {
    const { req, res: response, state } = ctx;
    let principal = first;
    let looking = false;
    let over = false;
    let spokenAt = monotonic();
    let behindSince: number | null = null;
    const write = (frame: string): void => {
      if (over || behindSince !== null) return;
      state.streamed += Buffer.byteLength(frame);
      spokenAt = monotonic();
      response.write(frame);
      if (response.writableLength <= limits.mostPending) return;
      behindSince = spokenAt;
      response.once('drain', () => {
        behindSince = null;
        write(RESYNC_FRAME);
      });
    };
    const end = (): void => {
      if (over) return;
      over = true;
      stop();
      response.end();
      setTimeout(() => response.destroy(), limits.lastWords).unref();
    };
    const look = async (): Promise<void> => {
      try {
        principal = await authorise();
        if (!stream.mayStay(principal)) end();
      } catch {
        // The client connects again and is told why it is refused.
        end();
      } finally {
        looking = false;
      }
    };
    write(FIRST_FRAME);
    if (req.headers['last-event-id'] !== undefined) write(RESYNC_FRAME);
    const stop = stream.begin({ principal: () => principal, send: write });
    return {
      owner: first,
      end,
      lookAgain() {
        if (behindSince !== null && monotonic() - behindSince >= limits.mostBehind) {
          response.destroy();
          return;
        }
        if (monotonic() - spokenAt >= limits.heartbeatEvery) write(HEARTBEAT);
        if (looking || over) return;
        looking = true;
        void look();
      },
    };
  };

  return {
    get count() {
      return all.size;
    },
    async open(ctx, principal, stream, authorise) {
      const { res: response, state } = ctx;
      refuseMore(principal);
      if (response.destroyed) return;
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      ctx.status = 200;
      ctx.set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        // The first header keeps proxies from holding events back. Closing keeps later requests from waiting behind it.
        'X-Accel-Buffering': 'no',
        Connection: 'close',
      });
      if (ctx.method === 'HEAD') return;
      // Koa must not answer by itself: it would wait for the whole answer, and does not authorise a stream again.
      ctx.respond = false;
      setHeaders(ctx);
      ctx.flushHeaders();
      state.openedAt = monotonic();
      const open = begin(ctx, principal, stream, authorise);
      all.add(open);
      share.take(principal.userId, 1);
      await closed;
      all.delete(open);
      share.give(principal.userId, 1);
      open.end();
    },
    end() {
      ended = true;
      clearInterval(sweep);
      for (const stream of [...all]) stream.end();
    },
  };
};
