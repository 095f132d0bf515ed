import { Readable } from 'node:stream';
import { expect } from 'chai';
import { batchesOf, type Placed } from '../../src/import/batches.js';

const placed = (count: number, text = ''): readonly Placed[] =>
  Array.from({ length: count }, (_, line) => ({ line, record: { text } }));
const sizes = async (records: readonly Placed[], most?: number, mostBytes?: number) => {
  const found: number[] = [];
  for await (const batch of batchesOf(Readable.from([records.slice(0, 7), [], records.slice(7)]), most, mostBytes)) {
    expect(Buffer.byteLength(JSON.stringify(batch.map(({ record }) => record)))).to.be.at.most(mostBytes ?? 2_097_152);
    found.push(batch.length);
  }
  return found;
};

describe('batchesOf', () => {
  it('groups by 1,000', async () => {
    expect(await sizes(placed(2500))).to.deep.equal([1000, 1000, 500]);
    expect(await sizes(placed(1000))).to.deep.equal([1000]);
    expect(await sizes([])).to.deep.equal([]);
  });

  it('groups by 2 MiB of bytes, not of characters', async () => {
    // Of 4,012 bytes each, with frame and comma, 522 fit into 2,097,152.
    expect(await sizes(placed(600, 'ü'.repeat(2000)))).to.deep.equal([522, 78]);
    expect(await sizes(placed(3, 'x'), 10, 2 + 13 * 2)).to.deep.equal([2, 1]);
  });
});
