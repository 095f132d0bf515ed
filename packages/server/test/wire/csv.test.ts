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
    ).to.equal('a,b\r\n"x",1\r\n,-0.5\r\n');
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
    expect(rows.flat()).to.deep.equal(harmful.map((text) => `'${text}`.replace(/([\t\r\n])=/, "$1'=")));
    expect(parsed(csvText([''], [['=HYPERLINK("http://x","y")']])).at(1)).to.deep.equal([
      `'=HYPERLINK("http://x","y")`,
    ]);
    expect(csvText([''], [[-1], ['a=b'], ['1-2']])).to.equal('\r\n-1\r\n"a=b"\r\n"1-2"\r\n');
  });

  it('makes formulas harmless that another separator would begin, in quotes or not', () => {
    const harmful = ['a;=1+1', 'a; +1', 'a|@SUM(A1)', 'a\t-1', 'a,=1', 'a";"=1+1', 'a\n=1'];
    const harmless = ["a;'=1+1", "a; '+1", "a|'@SUM(A1)", "a\t'-1", "a,'=1", 'a";"\'=1+1', "a\n'=1"];
    const text = csvText(
      [''],
      harmful.map((each) => [each]),
    );
    expect(parsed(text).slice(1).flat()).to.deep.equal(harmless);
    for (const separator of [';', '|', '\t'])
      for (const cell of text.split(new RegExp(`[${separator}\r\n]`)))
        expect(cell.replace(/^["\s]*/, ''), JSON.stringify(cell)).not.to.match(/^[=+\-@]/);
  });

  it('gives back every text there is', () => {
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: width, maxLength: width })));
    fc.assert(
      fc.property(table, (rows) => {
        const kept = rows.map((row) =>
          row.map((text) =>
            `${/^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) ? "'" : ''}${text}`.replace(
              /([,;|\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g,
              "$1'",
            ),
          ),
        );
        expect(parsed(csvText(['h'], rows)).slice(1)).to.deep.equal(kept);
      }),
    );
  });
});
