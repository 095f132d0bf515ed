import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { usageFailure } from '../failure.js';
import type { ImportRecord } from './to-record.js';

/** A row that did not go in. */
export interface Refusal {
  readonly line: number;
  readonly reasons: readonly string[];
  /** As it was to be sent; null where the row could not be read. */
  readonly record: ImportRecord | null;
}

const MOST_KEPT = 20;

/** Counts refused rows, keeps the first twenty, and writes all of them to a file where one is named. */
export class Refusals {
  readonly first: Refusal[] = [];
  count = 0;
  private constructor(
    private readonly out: WriteStream | undefined,
    private readonly shown: (text: string) => string,
  ) {}

  /** `shown` takes secrets out of what is written. Failure (exit 2) when the file cannot be written. */
  static async open(path: string | undefined, shown: (text: string) => string): Promise<Refusals> {
    if (path === undefined) return new Refusals(undefined, shown);
    const out = createWriteStream(path);
    await once(out, 'open').catch((error: NodeJS.ErrnoException) => {
      throw usageFailure(`${path} cannot be written (${error.code ?? error.message}).`);
    });
    return new Refusals(out, shown);
  }

  async add(refusal: Refusal): Promise<void> {
    this.count += 1;
    if (this.first.length < MOST_KEPT) this.first.push(refusal);
    if (this.out !== undefined && !this.out.write(`${this.shown(JSON.stringify(refusal))}\n`))
      await once(this.out, 'drain');
  }

  async close(): Promise<void> {
    if (this.out === undefined) return;
    this.out.end();
    await once(this.out, 'close');
  }
}
