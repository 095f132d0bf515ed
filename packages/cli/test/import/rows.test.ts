import { Readable } from 'node:stream';
import { DeploymentRequest, TestRunRequest } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  columnsOf,
  countNdjson,
  createNaming,
  csvRows,
  delimiterOf,
  ndjsonRows,
  Occurrences,
  openInput,
  type RawRow,
  requireColumns,
  toRecord,
} from '../../src/import/rows.js';

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
    expect(await failing('a,b\n1,2\n3,4"5\n')).to.contain('f.csv:3: a quote is where none may be');
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

const message = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was refused';
};

describe('toRecord', () => {
  const schema = TestRunRequest;
  const record = (members: Record<string, unknown>, texts = true, map: readonly string[] = []) =>
    toRecord(
      { line: 7, members, reason: null },
      { schema, texts, columns: columnsOf(schema, map, false), defaults: {} },
    );

  it('takes numbers from texts strictly', () => {
    expect(record({ total: '10', passed: '9', failed: '1', duration_seconds: '1.5', suite: '12' })).to.deep.equal({
      line: 7,
      record: { total: 10, passed: 9, failed: 1, duration_seconds: 1.5, suite: '12' },
      reasons: null,
    });
    for (const text of ['1e3', ' 9', '0x9', '9.0.0', '1,000', '+9', '09', 'many'])
      expect(record({ total: '10', passed: text, failed: '0' }).reasons, text).to.deep.equal([
        'passed: must be a whole number',
      ]);
  });

  it('takes no text for a number where numbers are known', () => {
    expect(record({ total: '10', passed: 9, failed: 1 }, false).reasons).to.deep.equal([
      'total: must be a whole number',
    ]);
  });

  it('names every fault, dates included', () => {
    expect(record({ total: '0', passed: '1', ran_at: '2026-02-30T00:00:00Z', commit: 'x' }).reasons).to.deep.equal([
      'no field takes commit',
      'failed: is missing',
      'total: must be 1 or more',
      'ran_at: must be a moment such as 2026-11-21T09:30:00Z (RFC 3339)',
    ]);
  });

  it('takes fields from other columns', () => {
    const { reasons } = record({ Tests: '3', passed: '3', failed: '0' }, true, ['total=Tests']);
    expect(reasons).to.equal(null);
  });
});

describe('requireColumns', () => {
  const check = (heads: readonly string[], map: readonly string[] = [], ignore = false, defaults = {}) =>
    message(() => requireColumns('f', columnsOf(DeploymentRequest, map, ignore), DeploymentRequest, heads, defaults));
  const NEEDED = ['app_name', 'environment', 'commit_sha', 'status'];

  it('names what no field takes and what is missing, all at once', () => {
    expect(check(['app_name', 'enviroment', 'Commit', 'status'])).to.equal(
      'f: no field takes enviroment, Commit; there is no column environment, commit_sha.',
    );
    expect(check([...NEEDED, 'url', ''])).to.equal('nothing was refused');
  });

  it('leaves out other columns on demand, and needs no column for a value that the options give', () => {
    expect(check(['environment', 'commit_sha', 'status', 'x'], [], true, { app_name: 'a' })).to.equal(
      'nothing was refused',
    );
  });

  it('needs the columns that are asked for', () => {
    expect(check(NEEDED, ['version=Tag'])).to.equal('f: there is no column Tag.');
    expect(message(() => columnsOf(DeploymentRequest, ['versoin=Tag'], false))).to.contain('names no field');
    expect(message(() => columnsOf(DeploymentRequest, ['version'], false))).to.contain('names no field');
    expect(message(() => columnsOf(DeploymentRequest, ['version=a', 'version=b'], false))).to.contain('twice');
  });
});

describe('Occurrences', () => {
  it('counts as a map does', () => {
    const key = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3000, size: 'max' }), (keys) => {
        const occurrences = new Occurrences();
        const counts = new Map<number, number>();
        for (const one of keys) {
          counts.set(one, (counts.get(one) ?? 0) + 1);
          expect(occurrences.count(one)).to.equal(counts.get(one));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('createNaming', () => {
  const names = (...records: readonly Record<string, unknown>[]) => {
    const named = createNaming();
    return records.map((record) => named(record).external_id);
  };

  it('leaves an id alone', () => {
    expect(names({ external_id: 'mine', a: 1 })).to.deep.equal(['mine']);
  });

  it('names by content, in any order and with any rows around it', () => {
    const [first] = names({ a: 1, b: 2 });
    expect(names({ x: 1 }, { b: 2, a: 1 })[1]).to.equal(first);
    expect(names({ a: 1, b: 3 })[0]).to.not.equal(first);
    expect(names({ a: '1', b: 2 })[0]).to.not.equal(first);
    expect(first).to.match(/^row-[\w-]{32}$/);
  });

  it('tells equal rows apart by how many came before', () => {
    const [first, second, third] = names({ a: 1 }, { a: 1 }, { a: 1 });
    expect([second, third]).to.deep.equal([`${first}-2`, `${first}-3`]);
    expect(names({ b: 1 }, { a: 1 }, { a: 1 })).to.include.members([first, second]);
  });
});
