import { createSharedLimit } from './limits.js';
import { Problem } from './problem.js';
import { type RequestContext, type RequestState, sharerOf } from './request.js';

/**
 * How many bytes of answers wait to be read at once, of one caller half of what others leave. A caller that asks for large
 * answers over many connections and reads slowly or not at all would otherwise fill the memory.
 */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Shorter answers are not counted: the system takes them in at once. */
const COUNTED_FROM = 16 * 1024;

/** Room for the answers that wait to be read. */
export interface AnswerRoom {
  /** Bytes that wait now. */
  readonly taken: number;
  /** Refuses a caller who leaves too much unread, before anything is done. @throws Problem `too-many-requests` */
  refuseWhenFull(state: RequestState): void;
  /**
   * Counts the text of an answer until it was sent, or its connection is closed. What was read for it is dropped where there is no
   * room; what was done is answered in any case. @throws Problem `too-many-requests`, `unavailable`
   */
  take(ctx: RequestContext, text: string): void;
}

const NO_ROOM = {
  all: () => new Problem('unavailable', 'As many answers wait to be read as may: nothing was done.', { retryAfter: 1 }),
  caller: () =>
    new Problem('too-many-requests', 'You leave too much unread of what you were answered: nothing was done.', {
      retryAfter: 1,
    }),
};

/** @param most bytes */
export const createAnswerRoom = (most = MOST_ANSWER_BYTES): AnswerRoom => {
  const share = createSharedLimit(most);
  return {
    get taken() {
      return share.taken;
    },
    refuseWhenFull(state) {
      // A caller that left nothing unread is served although others used up the room: most answers need none.
      if (share.crossed(sharerOf(state), COUNTED_FROM) === 'caller') throw NO_ROOM.caller();
    },
    take({ method, res, state }, text) {
      if (text.length < COUNTED_FROM || method === 'HEAD' || res.closed) return;
      const caller = sharerOf(state);
      const bytes = Buffer.byteLength(text);
      const crossed = share.crossed(caller, bytes);
      if (crossed !== null && method === 'GET') throw NO_ROOM[crossed]();
      share.take(caller, bytes);
      res.once('close', () => share.give(caller, bytes));
    },
  };
};
