import { expect } from 'chai';
import fc from 'fast-check';
import { csvText } from '../../src/wire/csv.js';

/** Reads CSV as RFC 4180 says. */
const parsed = (text: string): readonly (readonly string[])[] => {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, bare = '', end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
};

describe('csvText', () => {
  it('has a header and a line for each row, each ended', () => {
    expect(csvText(['a', 'b'], [])).to.equal('a,b\r\n');
    expect(
      csvText(
        ['a', 'b'],
        [
          ['x', 1],
          [null, -0.5],
        ],
      ),
    ).to.equal('a,b\r\nx,1\r\n,-0.5\r\n');
  });

  it('quotes what would end a cell', () => {
    const [row = ''] = csvText([], [['a,b', 'say "no"', 'two\nlines', 'two\r\nlines']])
      .split('\r\n', 2)
      .slice(1);
    expect(row).to.equal('"a,b","say ""no""","two\nlines","two');
  });

  it('makes formulas harmless, and leaves numbers alone', () => {
    const harmful = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      ' =1',
      '\u00a0+1',
      '＝1+1',
      '＋1',
      '－1',
      '＠A1',
    ];
    const [, ...rows] = parsed(
      csvText(
        [''],
        harmful.map((text) => [text]),
      ),
    );
    expect(rows.flat()).to.deep.equal(harmful.map((text) => `'${text}`));
    expect(parsed(csvText([''], [['=HYPERLINK("http://x","y")']])).at(1)).to.deep.equal([
      `'=HYPERLINK("http://x","y")`,
    ]);
    expect(csvText([''], [[-1], ['a=b'], ['1-2']])).to.equal('\r\n-1\r\na=b\r\n1-2\r\n');
  });

  it('gives back every text there is', () => {
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: width, maxLength: width })));
    fc.assert(
      fc.property(table, (rows) => {
        const kept = rows.map((row) =>
          row.map((text) => (/^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) ? `'${text}` : text)),
        );
        expect(parsed(csvText(['h'], rows)).slice(1)).to.deep.equal(kept);
      }),
    );
  });
});
