import type { Page, PageRequest } from '@shipworthy/domain';
import { inOnePiece } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import fc from 'fast-check';
import { columnsOfPart, csvText, exportList, exportWhole } from '../../src/routes/csv.js';

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

describe('columnsOfPart', () => {
  it('gives the columns of a part, in their order', () => {
    const columns = columnsOfPart(({ it }: { readonly it: number }) => it, { one: (n) => n, twice: (n) => 2 * n });
    expect(Object.entries(columns).map(([name, cell]) => [name, cell({ it: 3 })])).to.deep.equal([
      ['one', 3],
      ['twice', 6],
    ]);
  });
});

describe('exportList', () => {
  /** So many numbers, read as a store reads pages. */
  const numbers = (count: number) => {
    const asked: PageRequest[] = [];
    const readPage = async (page: PageRequest): Promise<Page<number>> => {
      asked.push(page);
      const from = Number(page.after?.[0] ?? 0);
      const to = Math.min(from + page.limit, count);
      return { rows: Array.from({ length: to - from }, (_, at) => from + at), next: to < count ? [to] : null };
    };
    return { asked, readPage };
  };
  const exported = (readPage: (page: PageRequest) => Promise<Page<number>>, most: number) =>
    exportList({ name: 'numbers', columns: { it: (it: number) => it }, slices: inOnePiece, readPage, most });

  it('has every row of all pages, each once', async () => {
    const { asked, readPage } = numbers(450);
    const { portions, fileName } = await exported(readPage, 1000);
    expect(String(Buffer.concat(portions))).to.equal(
      `it\r\n${Array.from({ length: 450 }, (_, at) => `${at}\r\n`).join('')}`,
    );
    expect(fileName).to.equal('numbers.csv');
    expect(asked.map(({ limit, after }) => [limit, after?.[0]])).to.deep.equal([
      [200, undefined],
      [200, 200],
      [200, 400],
    ]);
  });

  it('is encoded in portions, also where its rows are long or all there at once', async () => {
    const rows = Array.from({ length: 450 }, (_, at) => `${at}${'\u4e00'.repeat(20_000)}`);
    const { portions } = await exportWhole(rows, { name: 'long', columns: { it: (it) => it }, slices: inOnePiece });
    for (const { length } of portions) expect(length).to.be.lessThan(300_000);
    expect(String(Buffer.concat(portions))).to.equal(
      csvText(
        ['it'],
        rows.map((row) => [row]),
      ),
    );
  });

  it('ends at the most, and says so by the name of the file only where there is more', async () => {
    const more = await exported(numbers(251).readPage, 250);
    expect([String(Buffer.concat(more.portions)).split('\r\n').length, more.fileName]).to.deep.equal([
      252,
      'numbers-first-250.csv',
    ]);
    const all = await exported(numbers(250).readPage, 250);
    expect([String(Buffer.concat(all.portions)).split('\r\n').length, all.fileName]).to.deep.equal([
      252,
      'numbers.csv',
    ]);
  });

  it('has a header without rows', async () => {
    const { portions, fileName } = await exported(numbers(0).readPage, 10);
    expect([String(Buffer.concat(portions)), fileName]).to.deep.equal(['it\r\n', 'numbers.csv']);
  });
});
