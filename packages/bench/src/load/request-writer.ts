import type { Answer } from './answer-reader.js';
import { type LoadOrder, SEQUENCE, sequenceText } from './load-order.js';

/** Writes the requests of an order, each with the next number. */
export const requestWriter = (order: LoadOrder): { next(): string; count(): number } => {
  const parts = order.request.split(SEQUENCE);
  const [only] = parts;
  let count = 0;
  return {
    next: () => {
      const sequence = count;
      count += 1;
      return parts.length === 1 && only !== undefined ? only : parts.join(sequenceText(sequence));
    },
    count: () => count,
  };
};

/** @throws Error when the answer has another status than the order asks for */
export const requireStatus = (order: LoadOrder, { status, body }: Answer): void => {
  if (status !== order.status)
    throw new Error(`Expected ${order.status}, got ${status}: ${Buffer.from(body, 'latin1').toString().slice(0, 800)}`);
};
