import { Tally } from '../tally.js';
import type { TapPoint } from './tap-line.js';

/** One level of a TAP stream: the stream itself, or the subtests of one test point. */
export class TapLevel {
  readonly tally = new Tally();
  points = 0;
  plan: number | undefined;
  /** Opened by a test point that came before its subtests, in braces. */
  readonly parent: TapPoint | undefined;

  constructor(
    readonly indent: number,
    parent?: TapPoint,
  ) {
    this.parent = parent;
  }

  /** A second plan that says another number cannot be kept along with the first. */
  takePlan(plan: number): void {
    this.plan = this.plan === undefined || this.plan === plan ? plan : Number.NaN;
  }

  /** Whether nothing was said on this level. */
  get isUntouched(): boolean {
    return this.points === 0 && this.plan === undefined;
  }

  /** A test point of this level; `inner` are its subtests, where it has any: then they count, and it sums them up. */
  add(point: TapPoint, inner: TapLevel | undefined): void {
    this.points += 1;
    if (inner === undefined || inner.tally.total + inner.tally.skipped === 0) this.#addLeaf(point, inner);
    else this.#addParent(point, inner.tally);
  }

  #addParent({ ok, directive }: TapPoint, tally: Tally): void {
    if (directive !== undefined) {
      // What is to be mended later, or left out, takes its subtests along.
      tally.add('skipped', tally.failed + tally.errored);
      tally.failuresNotCounted += tally.failed + tally.errored;
      tally.failed = 0;
      tally.errored = 0;
    } else if (!ok && tally.isClean) tally.add('errored');
    this.tally.addAll(tally);
  }

  /** A plan that was not kept is one error, however far it is off. */
  close(): void {
    if (this.plan !== undefined && this.plan !== this.points) this.tally.add('errored');
  }

  #addLeaf({ ok, directive }: TapPoint, inner: TapLevel | undefined): void {
    // Tools that end by saying how many failed leave these out of it, too: they excuse no failure that is not listed.
    if (directive !== undefined) this.tally.add('skipped');
    // A suite without tests sums up nothing; one that failed could not be loaded.
    else if (inner === undefined) this.tally.add(ok ? 'passed' : 'failed');
    else if (!ok) this.tally.add('errored');
  }
}
