import type { Outcome, Tally } from './tally.js';

/** What was seen of an identity: its last attempt, or that it belongs to several tests. */
const [FAILED, ERRORED, PASSED, SEVERAL] = [1, 2, 3, 4] as const;

const SEEN = { failed: FAILED, errored: ERRORED, passed: PASSED } as const;

/** Replaced failures and errors of the identities that had any: far fewer than there are tests. */
interface Replaced {
  failed: number;
  errored: number;
}

/**
 * Counts a test that was tried several times once, by its last attempt. Attempts of one identity look like a retry as long as
 * they are failures with at most one pass, at the end: nobody retries what passed. As soon as a name that passed comes again it
 * belongs to several tests, and each of them counts, those taken for attempts included. So two tests of one name, the first
 * failed and the second passed, are taken for a retry, and nothing else is.
 */
export class Attempts {
  readonly #identities = new IdentityTable();
  readonly #replaced = new Map<number, Replaced>();
  #seen = new Uint8Array(64);

  constructor(private readonly tally: Tally) {}

  add(identity: string, outcome: Outcome): void {
    this.tally.add(outcome);
    // What was skipped is no attempt, and replaces none.
    if (outcome === 'skipped') return;
    const number = this.#identities.numberOf(identity);
    if (number >= this.#seen.length) this.#grow();
    this.#seen[number] = this.#after(number, SEEN[outcome]);
  }

  #after(number: number, now: typeof FAILED | typeof ERRORED | typeof PASSED): number {
    const before = this.#seen[number];
    if (before === SEVERAL) return SEVERAL;
    if (before === PASSED) {
      const { failed, errored } = this.#replaced.get(number) ?? { failed: 0, errored: 0 };
      this.tally.add('failed', failed);
      this.tally.add('errored', errored);
      this.tally.failuresNotCounted -= failed + errored;
      this.#replaced.delete(number);
      return SEVERAL;
    }
    if (before === FAILED || before === ERRORED) this.#replace(number, before === FAILED ? 'failed' : 'errored');
    return now;
  }

  #replace(number: number, outcome: 'failed' | 'errored'): void {
    const replaced = this.#replaced.get(number) ?? { failed: 0, errored: 0 };
    replaced[outcome] += 1;
    this.#replaced.set(number, replaced);
    this.tally.add(outcome, -1);
    this.tally.failuresNotCounted += 1;
  }

  #grow(): void {
    const seen = this.#seen;
    this.#seen = new Uint8Array(seen.length * 2);
    this.#seen.set(seen);
  }
}

/** Two lanes of 32 bits: FNV-1a (RFC 9923), and a product with the golden ratio's bits that is folded at every step. */
const lanesOf = (text: string): readonly [number, number] => {
  let [one, two] = [2166136261, text.length];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 16777619);
    two = Math.imul(two + code, 0x9e3779b1);
    two ^= two >>> 15;
  }
  return [one >>> 0, two >>> 0];
};

/**
 * Gives texts a small number each, from 0 in the order of their coming, and keeps 64 bits of each text instead of the text:
 * 24 to 48 bytes for each one outside of the heap. Two texts of 200,000 share their bits once in a billion reports.
 */
export class IdentityTable {
  #lanes = new Uint32Array(2 * 64);
  /** The number plus one; zero where nothing is. */
  #numbers = new Uint32Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  numberOf(text: string): number {
    if (this.#size * 2 >= this.#numbers.length) this.#grow();
    const [one, two] = lanesOf(text);
    const at = this.#placeOf(one, two);
    if (this.#numbers[at] === 0) this.#put(at, one, two, ++this.#size);
    return (this.#numbers[at] ?? 0) - 1;
  }

  #put(at: number, one: number, two: number, number: number): void {
    this.#lanes[at * 2] = one;
    this.#lanes[at * 2 + 1] = two;
    this.#numbers[at] = number;
  }

  #placeOf(one: number, two: number): number {
    const mask = this.#numbers.length - 1;
    let at = (one ^ two) & mask;
    while (this.#numbers[at] !== 0 && (this.#lanes[at * 2] !== one || this.#lanes[at * 2 + 1] !== two))
      at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [lanes, numbers] = [this.#lanes, this.#numbers];
    this.#lanes = new Uint32Array(lanes.length * 2);
    this.#numbers = new Uint32Array(numbers.length * 2);
    for (const [index, number] of numbers.entries()) {
      if (number === 0) continue;
      const [one = 0, two = 0] = lanes.subarray(index * 2, index * 2 + 2);
      this.#put(this.#placeOf(one, two), one, two, number);
    }
  }
}
