import { createHash } from 'node:crypto';
import type { ImportRecord } from './to-record.js';

/** Counts how often each of many keys came, in 12 bytes of a table for each place; keys are whole numbers from 1 below 2^53. */
export class Occurrences {
  #keys = new Float64Array(1024);
  #counts = new Uint32Array(1024);
  #used = 0;

  /** How often the key came, this time included. */
  count(key: number): number {
    if (this.#used * 2 >= this.#keys.length) this.#grow();
    const at = this.#placeOf(key);
    if (this.#keys[at] === 0) this.#used += 1;
    this.#keys[at] = key;
    const count = (this.#counts[at] ?? 0) + 1;
    this.#counts[at] = count;
    return count;
  }

  #placeOf(key: number): number {
    const places = this.#keys.length;
    let at = key % places;
    while (this.#keys[at] !== 0 && this.#keys[at] !== key) at = (at + 1) % places;
    return at;
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Float64Array(keys.length * 2);
    this.#counts = new Uint32Array(keys.length * 2);
    keys.forEach((key, from) => {
      if (key === 0) return;
      const at = this.#placeOf(key);
      this.#keys[at] = key;
      this.#counts[at] = counts[from] ?? 0;
    });
  }
}

/**
 * Gives records without an `external_id` one that follows from their content, and for equal ones from which of them it is: the
 * same rows have the same ids however often they are sent and whatever stands around them.
 */
export const createNaming = (): ((record: ImportRecord) => ImportRecord) => {
  const occurrences = new Occurrences();
  return (record) => {
    if (record.external_id !== undefined) return record;
    const content = Object.keys(record)
      .sort()
      .map((name) => [name, record[name]]);
    const hash = createHash('sha256').update(JSON.stringify(content)).digest();
    const count = occurrences.count(hash.readUIntBE(0, 6) * 32 + (hash.readUInt8(6) & 31) + 1);
    const name = `row-${hash.toString('base64url', 0, 24)}`;
    return { ...record, external_id: count === 1 ? name : `${name}-${count}` };
  };
};
