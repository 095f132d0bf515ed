import { type Exchange, sharerOf } from './exchange.js';
import { Problem } from './problem.js';
import { createShare } from './share.js';

/**
 * How many bytes of bodies are kept at once unless told: of one caller half of them, of all strangers half, and of the strangers
 * of one network a quarter. What is made of a body takes several times as much.
 */
export const MOST_BODY_BYTES = 32 * 1024 * 1024;

/** Room for the bodies that are being read or worked on: slow senders and great batches would fill the memory. */
export interface BodyRoom {
  /** Bytes that are kept now. */
  readonly taken: number;
  /** Takes room for so many bytes more of the request's body; the refusal where there is none. */
  take(exchange: Exchange, bytes: number): Problem | null;
  /** Gives back what the request took. */
  giveBack(exchange: Exchange): void;
}

/** The connection ends: what is still on its way of the body would have to be taken in. */
const ENDING = { retryAfter: 1, headers: { Connection: 'close' } };

const FULL = {
  all: () => new Problem('unavailable', 'The service has as much to read as it can: nothing was done.', ENDING),
  caller: () => new Problem('too-many-requests', 'Too much of yours is being read already: nothing was done.', ENDING),
};

/** @param most bytes */
export const createBodyRoom = (most = MOST_BODY_BYTES): BodyRoom => {
  const all = createShare(most);
  // Who shows no credential must not keep those out who do.
  const ofStrangers = createShare(most / 2);
  const sharesOf = ({ principal }: Exchange) => (principal === null ? [ofStrangers, all] : [all]);
  return {
    get taken() {
      return all.taken;
    },
    take(exchange, bytes) {
      const caller = sharerOf(exchange);
      const shares = sharesOf(exchange);
      for (const share of shares) {
        const crossed = share.crossed(caller, bytes);
        if (crossed !== null) return FULL[crossed]();
      }
      for (const share of shares) share.take(caller, bytes);
      exchange.held += bytes;
      return null;
    },
    giveBack(exchange) {
      if (exchange.held === 0) return;
      for (const share of sharesOf(exchange)) share.give(sharerOf(exchange), exchange.held);
      exchange.held = 0;
    },
  };
};
