/** A map that never holds more than `limit` entries: the one unused for longest goes first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #newest: Key | undefined;

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Like `get`, and counts as a use. */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // What is asked for again and again stands at the end already.
    if (value !== undefined && key !== this.#newest) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
