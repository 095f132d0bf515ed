import type { Tally } from '../tally.js';
import type { JsonLeaf, JsonPath } from './json-walk.js';

/** Reads the counts in the head of a JSON report: members of one object, the root itself for the empty path. */
export class HeadCounts<Name extends string> {
  readonly #counts = new Map<unknown, number>();
  readonly #names: ReadonlySet<unknown>;

  constructor(
    private readonly tally: Tally,
    private readonly place: JsonPath,
    names: readonly Name[],
  ) {
    this.#names = new Set(names);
  }

  /** Hears of a list or an object; one where a count should be is doubted. */
  open(path: JsonPath, kind: 'object' | 'list'): void {
    if (this.#isCount(path))
      this.tally.doubt(`the count ${path.at(-1)} is ${kind === 'list' ? 'a list' : 'an object'}, which is no number`);
  }

  value(path: JsonPath, value: JsonLeaf): void {
    const name = path.at(-1);
    if (this.#isCount(path)) this.#counts.set(name, this.tally.countAtHead(String(name), value));
  }

  /** The sum of these counts; 0 for one that the head does not give. */
  sumOf(...names: readonly Name[]): number {
    return names.reduce((sum, name) => sum + (this.#counts.get(name) ?? 0), 0);
  }

  #isCount(path: JsonPath): boolean {
    return (
      path.length === this.place.length + 1 &&
      this.#names.has(path.at(-1)) &&
      this.place.every((name, at) => path[at] === name)
    );
  }
}
