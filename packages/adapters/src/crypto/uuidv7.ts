import { randomFillSync } from 'node:crypto';
import type { Clock, NewId } from '@shipworthy/domain';

const POOL = 4096;
const COUNTER_LIMIT = 0x1000;
const BYTES_USED = 10;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Makes UUIDs of version 7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, 12 bits of counter (6.2, method 1), 62 random
 * bits. Each sorts after the one before from the same maker, even when the clock stands still or goes back.
 */
export const uuidv7 = (clock: Clock = Date.now): NewId => {
  const pool = new Uint8Array(POOL);
  let used = POOL;
  let time = 0;
  let counter = 0;
  /** Ten random bytes: asking the system for many at once is much cheaper. */
  const randomAt = (): number => {
    if (used + BYTES_USED > POOL) {
      randomFillSync(pool);
      used = 0;
    }
    const start = used;
    used += BYTES_USED;
    return start;
  };
  const byteAt = (place: number): number => pool[place] ?? 0;
  return () => {
    const start = randomAt();
    const now = clock();
    counter += 1;
    if (now > time || counter === COUNTER_LIMIT) {
      time = Math.max(now, time + 1);
      // The counter begins at random in its lower half: hard to guess, and room for 2,048 more.
      counter = ((byteAt(start) << 8) | byteAt(start + 1)) & 0x7ff;
    }
    const stamp = time.toString(16).padStart(12, '0');
    const variant = HEX[0x80 | (byteAt(start + 2) & 0x3f)];
    let random = '';
    for (let place = start + 3; place < start + 10; place += 1) random += HEX[byteAt(place)];
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${random.slice(0, 2)}-${random.slice(2)}`;
  };
};
