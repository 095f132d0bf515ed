import type { Outcome } from '../report-counts.js';
import type { Tally } from '../tally.js';
import { IdentityTable } from './identity-table.js';

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
