import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { countNdjson, csvRows, delimiterOf, ndjsonRows, openInput, type RawRow } from '../../src/import/rows.js';

/** Reads bytes that come in pieces of that size. */
const read = async (text: string | Buffer, size = 7, delimiter?: string) => {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const input = await openInput({ folder: '/', stdin: Readable.from(pieces) }, '-');
  const rows: RawRow[] = [];
  let heads: readonly string[] = [];
  for await (const some of csvRows('f.csv', input.open(), delimiter ?? delimiterOf(bytes.toString()), (found) => {
    heads = found;
  }))
    rows.push(...some);
  return { rows, heads };
};
const failing = (text: string | Buffer) =>
  read(text).then(
    () => expect.fail('it was read'),
    (error: Error) => error.message,
  );

describe('csvRows', () => {
  it('reads what spreadsheets write: byte order mark, CRLF, quoted line ends, other delimiters', async () => {
    const { rows, heads } = await read('\ufeffa;b\r\n1;"x ""y""\r\nz"\r\n\r\n;3\r\n');
    expect(heads).to.deep.equal(['a', 'b']);
    expect(rows).to.deep.equal([
      { line: 2, members: { a: '1', b: 'x "y"\nz' }, reason: null },
      { line: 5, members: { b: '3' }, reason: null },
    ]);
  });

  it('tells the delimiter by the header', () => {
    expect(['a,b', 'a;b', 'a\tb', 'a|b', '"a,b,c";d', 'alone', '\na;b'].map(delimiterOf).join(' ')).to.equal(
      ', ; \t | ; , ;',
    );
  });

  it('refuses a row of another length, and no other', async () => {
    const { rows } = await read('a,b\n1\n1,2,3\n1,2,\n4,5\n');
    expect(rows.map(({ line, reason }) => [line, reason])).to.deep.equal([
      [2, 'has 1 cells where the header has 2'],
      [3, 'has 3 cells where the header has 2'],
      [4, null],
      [5, null],
    ]);
  });

  it('names the line of a quote that is not closed, or is not allowed there', async () => {
    expect(await failing('a,b\n1,2\n3,"4\n5,6\n')).to.contain('f.csv:3: a quote is not closed');
    expect(await failing('a,b\n1,2\n3,4"5\n')).to.contain('f.csv:3: a quote stands where none may');
    expect(await failing(`a,b\n1,"${'x'.repeat(300_000)}`)).to.contain('f.csv:2: a quote is not closed');
  });

  it('names the line of what is not UTF-8', async () => {
    expect(await failing(Buffer.from('a,b\n1,2\nM\u00fcller,3\n', 'latin1'))).to.match(/:[23] is not UTF-8/);
  });

  it('refuses a header that names a column twice', async () => {
    expect(await failing('a,b,a\n1,2,3\n')).to.contain('names a twice');
  });

  it('reads back everything that was written, in pieces of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'ü', ' ', '€', '𐐷') });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (cells, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = `a,b\n${cells.map((pair) => pair.map(quoted).join(',')).join('\n')}\n`;
        const { rows } = await read(text, size, ',');
        expect(rows.map(({ members }) => [members?.a ?? '', members?.b ?? ''])).to.deep.equal(cells);
      }),
      { numRuns: 100 },
    );
  });
});

const readNdjson = async (...pieces: readonly string[]) => {
  const rows: unknown[] = [];
  for await (const some of ndjsonRows('f', Readable.from(pieces)))
    rows.push(...some.map(({ line, members, reason }) => [line, members ?? reason]));
  return rows;
};

describe('ndjsonRows', () => {
  it('reads one object a line, in pieces of any size', async () => {
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
