import { type JsonLeaf, type JsonPath, type JsonVisitor, JsonWalk } from './json-walk.js';
import type { Measurement } from './measurement.js';
import { BrokenReport } from './tally.js';

/** Most categories that a message names; Lighthouse has five. */
const MOST_NAMED = 20;

/** Keeps what a report of Lighthouse says of its page while it is walked through. */
class LighthouseVisitor implements JsonVisitor {
  hasVersion = false;
  hasCategories = false;
  /** The scores of the categories; null: an audit failed. */
  readonly scores = new Map<string, JsonLeaf>();
  /** The code of the runtime error, `NO_ERROR` without an error; null: the error has no code. */
  fault: JsonLeaf = 'NO_ERROR';

  open([first, second, ...rest]: JsonPath, kind: 'object' | 'list'): void {
    if (rest.length > 0 || kind === 'list') return;
    if (first === 'runtimeError' && second === undefined) this.fault = null;
    if (first !== 'categories') return;
    if (second === undefined) this.hasCategories = true;
    else this.scores.set(String(second), null);
  }

  value([first, second, third, ...rest]: JsonPath, value: JsonLeaf): void {
    if (rest.length > 0) return;
    if (first === 'lighthouseVersion' && second === undefined) this.hasVersion = typeof value === 'string';
    if (first === 'runtimeError' && second === 'code' && third === undefined) this.fault = value;
    if (first === 'categories' && second !== undefined && third === 'score') this.scores.set(String(second), value);
  }

  close(): void {}
}

/** Reads a report of Lighthouse in JSON as it streams by, and keeps little of it: deep nesting would take a gigabyte to keep. */
export class LighthouseReader {
  readonly #found = new LighthouseVisitor();
  readonly #walk = new JsonWalk(this.#found);

  write(piece: string): void {
    this.#walk.write(piece);
  }

  /**
   * Returns the score of a category, in whole hundredths, rounded down. The category may be written with underscores,
   * since no name of an axis has a hyphen.
   */
  end(category: string): Measurement {
    this.#walk.end();
    const { hasVersion, hasCategories, fault, scores } = this.#found;
    if (!hasVersion || !hasCategories) throw new BrokenReport('is no report of Lighthouse in JSON');
    if (fault !== 'NO_ERROR')
      throw new BrokenReport(`says that the page could not be audited (${String(fault).slice(0, 100)})`);
    const name = [category, category.replaceAll('_', '-')].find((one) => scores.has(one));
    if (name === undefined) {
      const names = [...scores.keys()].slice(0, MOST_NAMED).map((one) => one.slice(0, 100));
      throw new BrokenReport(`has no category ${category}: it has ${names.join(', ') || 'none'}`);
    }
    const score = scores.get(name);
    if (typeof score !== 'number' || !(score >= 0 && score <= 1))
      throw new BrokenReport(`has no score of ${category}: an audit of it failed`);
    // 0.29 * 100 is a little less than 29 in binary fractions.
    return { format: 'lighthouse', part: Math.floor(Math.round(score * 1e6) / 1e4), whole: 100, doubts: [] };
  }
}
