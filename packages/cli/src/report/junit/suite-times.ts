import type { ReportTimes } from '../report-counts.js';
import { laterOf, lengthOf, momentOf } from '../report-time.js';
import type { Attributes } from './test-case.js';

/** Gathers what testsuites and testsuite elements say about time: the root's own length, else the sum of its suites'; the last end. */
export class SuiteTimes {
  #whole: number | undefined;
  #sum: number | undefined;
  #isWhole = true;
  #ranAt: number | undefined;

  /** `floor`: 0 for the root, 1 for the suites in it; what is deeper is part of those. */
  note(floor: number, isList: boolean, { time, timestamp }: Attributes): void {
    const length = lengthOf(time);
    if (floor === 0) this.#whole = length;
    else if (floor === 1 && length !== undefined) this.#sum = (this.#sum ?? 0) + length;
    const start = momentOf(timestamp);
    // A list of suites that began and says no length would end when it began.
    if (start === undefined || (isList && length === undefined)) return;
    this.#ranAt = laterOf(this.#ranAt, Math.round(start + (length ?? 0) * 1000));
  }

  /** A test beside the suites: then their lengths are not the whole. */
  noteLooseTest(): void {
    this.#isWhole = false;
  }

  get times(): ReportTimes {
    return { durationSeconds: this.#whole ?? (this.#isWhole ? this.#sum : undefined), ranAt: this.#ranAt };
  }
}
