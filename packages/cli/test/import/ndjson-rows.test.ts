import { Readable } from 'node:stream';
import { expect } from 'chai';
import { countNdjson, ndjsonRows } from '../../src/import/ndjson-rows.js';

const readNdjson = async (...pieces: readonly string[]) => {
  const rows: unknown[] = [];
  for await (const some of ndjsonRows('f', Readable.from(pieces)))
    rows.push(...some.map(({ line, members, reason }) => [line, members ?? reason]));
  return rows;
};

describe('ndjsonRows', () => {
  it('reads one object a line, whatever the pieces it comes in', async () => {
    expect(await readNdjson('{"a":1}\n\n  \n{"b"', ':"x\\n"}\n{"c":null,"d":2}')).to.deep.equal([
      [1, { a: 1 }],
      [4, { b: 'x\n' }],
      [5, { d: 2 }],
    ]);
  });

  it('counts its rows without looking into them', async () => {
    expect(await countNdjson('f', Readable.from(['{"a":1}\n\n  \nnot', ' JSON\n{"c":null}']))).to.equal(3);
    expect(await countNdjson('f', Readable.from([]))).to.equal(0);
  });

  it('refuses a line that is no object, and no other', async () => {
    expect(await readNdjson('{"a":1\n1\n[]\nnull\n{}\n')).to.deep.equal([
      [1, 'is not JSON'],
      [2, 'is no JSON object'],
      [3, 'is no JSON object'],
      [4, 'is no JSON object'],
      [5, {}],
    ]);
  });

  it('says what to do with one JSON list, and ends at a line without end', async () => {
    for (const [text, told] of [
      ['[{"a":1}]', 'is one JSON list'],
      [`{"a":"${'x'.repeat(300_000)}`, 'f:1 is too long'],
    ] as const)
      await readNdjson(text).then(
        () => expect.fail('it was read'),
        (error: Error) => expect(error.message).to.contain(told),
      );
  });
});
