/** Reads that any input may take, and how many more for each value in it. */
const READS = 20_000;
const READS_PER_VALUE = 100;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const valuesIn = (value: unknown): number =>
  isObject(value) ? Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1) : 1;

/**
 * Counts what is read of values: members, their names, whether they are there. A search that does not end reads without
 * end, so it is stopped by a throw once there were too many, which does not depend on how fast a machine is.
 */
export class CountedReads {
  count = 0;
  readonly values: number;
  private readonly most: number;

  constructor(handedIn: readonly unknown[]) {
    this.values = handedIn.reduce<number>((sum, value) => sum + valuesIn(value), 0);
    this.most = READS + READS_PER_VALUE * this.values;
  }

  get areTooMany(): boolean {
    return this.count > this.most;
  }

  /** The same value, of which every read is counted; a frozen value is copied, since no proxy can replace its members. */
  of(value: unknown): unknown {
    if (!isObject(value)) return value;
    const copy: object = Array.isArray(value)
      ? [...value]
      : Object.defineProperties({}, Object.getOwnPropertyDescriptors({ ...value }));
    return new Proxy(copy, {
      get: (target, name, receiver) => {
        this.read();
        return this.of(Reflect.get(target, name, receiver));
      },
      ownKeys: (target) => {
        this.read();
        return Reflect.ownKeys(target);
      },
      has: (target, name) => {
        this.read();
        return Reflect.has(target, name);
      },
    });
  }

  private read(): void {
    this.count += 1;
    if (this.areTooMany) throw new RangeError('There were more reads than any input takes');
  }
}
