import { createSharedLimit } from './limits.js';
import { Problem } from './problem.js';
import { type RequestContext, type RequestState, sharerOf } from './request.js';

/**
 * Most bytes of bodies kept at once unless told. One caller may have half of what others leave, all open operations
 * together a quarter, and all signed ones, such as deliveries of a repository host, a quarter. The values read from a
 * body take several times as much.
 */
const MOST_BODY_BYTES = 32 * 1024 * 1024;

/** Room for the bodies that are being read or worked on: slow senders and great batches would fill the memory. */
export interface BodyRoom {
  /** Bytes that are kept now. */
  readonly taken: number;
  /** Takes room for this many more bytes of the request's body; returns the refusal where there is none, else null. */
  take(state: RequestState, bytes: number): Problem | null;
  /** Gives back what the request took. */
  giveBack(state: RequestState): void;
}

/** One network may have a sixteenth of what others leave of the room for open operations, whose bodies are small. */
const PART_OF_NETWORK = 16;

/** The refusal closes the connection: otherwise the rest of the body would have to be read. */
const ENDING = { retryAfter: 1, headers: { Connection: 'close' } };

const NO_ROOM_FOR_BODY = {
  all: () => new Problem('unavailable', 'The service has as much to read as it can: nothing was done.', ENDING),
  caller: () => new Problem('too-many-requests', 'Too much of yours is being read already: nothing was done.', ENDING),
};

/** @param most the most bytes of bodies that are kept at once, of all callers together */
export const createBodyRoom = (most = MOST_BODY_BYTES): BodyRoom => {
  const all = createSharedLimit(most);
  // Requests without a credential must not keep out those with one, and large bodies of one operation must not keep out sign-ins.
  const ofSigned = createSharedLimit(most / 4);
  const ofOpen = createSharedLimit(most / 4, PART_OF_NETWORK);
  const sharesOf = ({ principal, operation }: RequestState) => {
    if (principal !== null) return [all];
    return [operation?.auth.kind === 'signature' ? ofSigned : ofOpen, all];
  };
  return {
    get taken() {
      return all.taken;
    },
    take(state, bytes) {
      const caller = sharerOf(state);
      const shares = sharesOf(state);
      for (const share of shares) {
        const crossed = share.crossed(caller, bytes);
        if (crossed !== null) return NO_ROOM_FOR_BODY[crossed]();
      }
      for (const share of shares) share.take(caller, bytes);
      state.held += bytes;
      return null;
    },
    giveBack(state) {
      if (state.held === 0) return;
      for (const share of sharesOf(state)) share.give(sharerOf(state), state.held);
      state.held = 0;
    },
  };
};

/**
 * Most bytes of answers that wait to be read at once; one caller may have half of what others leave. A caller that asks
 * for large answers over many connections and reads slowly or not at all would otherwise fill the memory.
 */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Length from which an answer is counted, in bytes: the system takes in shorter ones at once. */
const COUNTED_FROM = 16 * 1024;

/** Room for the answers that wait to be read. */
export interface AnswerRoom {
  /** Bytes that wait now. */
  readonly taken: number;
  /** Refuses a caller who leaves too much unread, before anything is done. @throws Problem `too-many-requests` */
  refuseWhenFull(state: RequestState): void;
  /**
   * Counts an answer, a text or a number of bytes, until it was sent or its connection is closed. A read without room
   * is refused; what a change answers is sent in any case.
   * @throws Problem `too-many-requests`, `unavailable`
   */
  take(ctx: RequestContext, answer: string | number): void;
}

const NO_ROOM_FOR_ANSWER = {
  all: () => new Problem('unavailable', 'As many answers wait to be read as may: nothing was done.', { retryAfter: 1 }),
  caller: () =>
    new Problem('too-many-requests', 'You leave too much unread of what you were answered: nothing was done.', {
      retryAfter: 1,
    }),
};

/** @param most the most bytes of answers that wait to be read at once, of all callers together */
export const createAnswerRoom = (most = MOST_ANSWER_BYTES): AnswerRoom => {
  const share = createSharedLimit(most);
  return {
    get taken() {
      return share.taken;
    },
    refuseWhenFull(state) {
      // A caller that left nothing unread is served although others used up the room: most answers need none.
      if (share.crossed(sharerOf(state), COUNTED_FROM) === 'caller') throw NO_ROOM_FOR_ANSWER.caller();
    },
    take({ method, res, state }, answer) {
      const bytes = typeof answer === 'string' ? Buffer.byteLength(answer) : answer;
      if (bytes < COUNTED_FROM || method === 'HEAD' || res.closed) return;
      const caller = sharerOf(state);
      const crossed = share.crossed(caller, bytes);
      if (crossed !== null && method === 'GET') throw NO_ROOM_FOR_ANSWER[crossed]();
      share.take(caller, bytes);
      res.once('close', () => share.give(caller, bytes));
    },
  };
};
