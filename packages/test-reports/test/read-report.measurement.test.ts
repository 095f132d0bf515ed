import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Measurement } from '../src/measurement.js';
import { readCoverage, readLighthouse } from '../src/read-report.js';
import { BrokenReport } from '../src/tally.js';
import { inPieces, ROOM } from './reading.js';

const ROOM_OF_TOOLS = join(ROOM, 'measured');

/** Format, part and whole, counted by hand. */
const EXPECTED: Readonly<Record<string, readonly [string, number, number]>> = {
  'node-20.20.2/lcov.info': ['lcov', 17, 22],
  'c8-12.0.0/lcov.info': ['lcov', 8, 13],
  'c8-12.0.0/cobertura.xml': ['cobertura', 8, 13],
  'coverage.py-7.16.2/coverage.lcov': ['lcov', 11, 14],
  'coverage.py-7.16.2/coverage.xml': ['cobertura', 11, 14],
};

const pieces = (text: string | Uint8Array, size = 7) =>
  inPieces(typeof text === 'string' ? Buffer.from(text) : text, size);

const faultIn = async (work: Promise<Measurement>): Promise<string> => {
  try {
    return `read ${JSON.stringify(await work)}`;
  } catch (error) {
    if (error instanceof BrokenReport) return error.message;
    throw error;
  }
};

const figures = async (work: Promise<Measurement>) => {
  const { part, whole, doubts } = await work;
  return [part, whole, doubts.length];
};

const lcov = (lines: string) => readCoverage(pieces(lines));
const xml = (lines: string, head = '') =>
  readCoverage(
    pieces(`<coverage ${head}><packages><package><classes>${lines}</classes></package></packages></coverage>`),
  );
const aClass = (lines: string, more = '') => `<class filename="a.js">${more}<lines>${lines}</lines></class>`;

describe('measurements of the tools', () => {
  for (const [name, expected] of Object.entries(EXPECTED))
    it(`are read from ${name}`, async () => {
      const { format, part, whole, doubts } = await readCoverage(createReadStream(join(ROOM_OF_TOOLS, name)));
      expect([format, part, whole]).to.deep.equal(expected);
      expect(doubts).to.deep.equal([]);
      const bytes = readFileSync(join(ROOM_OF_TOOLS, name));
      for (const size of [1, 100_000]) expect((await readCoverage(pieces(bytes, size))).part).to.equal(expected[1]);
    });

  it('are read from a report of Lighthouse, by category', async () => {
    const report = join(ROOM_OF_TOOLS, 'lighthouse-12.8.2/report.json');
    const score = async (category: string) => figures(readLighthouse(createReadStream(report), category));
    expect(await score('accessibility')).to.deep.equal([73, 100, 0]);
    expect(await score('best_practices')).to.deep.equal([93, 100, 0]);
    expect(await score('seo')).to.deep.equal([82, 100, 0]);
    expect(await faultIn(readLighthouse(createReadStream(report), 'performance'))).to.equal(
      'has no category performance: it has accessibility, best-practices, seo',
    );
  });

  it('keep no trace of a machine', () => {
    for (const tool of readdirSync(ROOM_OF_TOOLS))
      for (const file of readdirSync(join(ROOM_OF_TOOLS, tool))) {
        const text = readFileSync(join(ROOM_OF_TOOLS, tool, file), 'utf8');
        for (const trace of ['/tmp/', '/root', tmpdir(), hostname()]) expect(text, file).not.to.contain(trace);
      }
  });
});

describe('a tracefile of lcov', () => {
  it('counts a line once, covered where one of its records says so', async () => {
    const twice = 'SF:a\nDA:1,0\nDA:2,0\nDA:1,3,abc\nend_of_record\nTN:x\nSF:a\r\nDA:2,1\nDA:3,-4\nend_of_record';
    expect(await figures(lcov(twice))).to.deep.equal([2, 3, 0]);
  });

  it('is never greener than what it says', async () => {
    expect(await figures(lcov('SF:a\nDA:1,1\nLF:10\nLH:1\nend_of_record\n'))).to.deep.equal([1, 10, 1]);
    expect(await figures(lcov('SF:a\nDA:1,1\nDA:2,1\nLF:2\nLH:1\nend_of_record\n'))).to.deep.equal([1, 2, 1]);
    expect(await figures(lcov('SF:a\nDA:1,1\nDA:2,0\nLF:1\nLH:2\nend_of_record\n'))).to.deep.equal([1, 2, 0]);
    expect(await figures(lcov(`SF:a\nDA:1,${'9'.repeat(400)}\nend_of_record\n`))).to.deep.equal([1, 1, 0]);
  });

  it('is refused where it is empty, cut short, of another kind or without a line', async () => {
    expect(await faultIn(lcov(' \n'))).to.contain('is empty');
    expect(await faultIn(lcov('SF:a\nDA:1,1\n'))).to.contain('is cut short');
    expect(await faultIn(lcov('SF:a\nLF:0\nLH:0\nend_of_record\n'))).to.equal('lists no line of code');
    expect(await faultIn(lcov('SF:a\nLF:9\nLH:9\nend_of_record\n'))).to.equal('lists no line of code');
    expect(await faultIn(lcov('TN:\n'))).to.equal('lists no line of code');
    expect(await faultIn(lcov('DA:1,1\n'))).to.contain('outside of a file');
    expect(await faultIn(lcov('end_of_record\n'))).to.contain('does not begin');
    expect(await faultIn(lcov('SF:a\nSF:b\n'))).to.contain('before the one before it ends');
    for (const odd of [
      'DA:1',
      'DA:1,x',
      'DA:1,1e9',
      'DA:-1,1',
      'LF:-1',
      '{"total": 1}',
      'mode: set',
      'x'.repeat(2 ** 21),
    ])
      expect(await faultIn(lcov(`SF:a\n${odd}\nend_of_record\n`)), odd.slice(0, 20)).to.contain('no line of lcov');
  });
});

describe('a report of Cobertura', () => {
  it('counts the lines of classes, and those of methods where a class lists none', async () => {
    const method = '<methods><method name="m"><lines><line number="7" hits="0"/></lines></method></methods>';
    const lines = '<line number="1" hits="2"><conditions><condition/></conditions></line><line number="2" hits="0"/>';
    expect(await figures(xml(aClass(lines, method)))).to.deep.equal([1, 2, 0]);
    expect(await figures(xml(aClass('', method)))).to.deep.equal([0, 1, 0]);
    const again = aClass('<line number="2" hits="1"/><line number="3" hits="-1"/>');
    expect(await figures(xml(aClass(lines) + again))).to.deep.equal([2, 3, 0]);
    expect(await figures(xml(`<!-- ${aClass(lines)} -->${aClass('<line number="1" hits="00"/>')}`))).to.deep.equal([
      0, 1, 0,
    ]);
  });

  it('is never greener than what its head says', async () => {
    const one = aClass('<line number="1" hits="1"/>');
    expect(await figures(xml(one, 'lines-valid="4" lines-covered="0"'))).to.deep.equal([0, 4, 2]);
    expect(await figures(xml(one, 'lines-valid="0" lines-covered="9"'))).to.deep.equal([1, 1, 0]);
  });

  it('is never greener than the share at its head, where no count of covered lines is given', async () => {
    const two = aClass('<line number="1" hits="1"/>') + aClass('<line number="2" hits="1"/>');
    const { doubts, ...half } = await xml(two, 'line-rate="0.5"');
    expect(half).to.deep.equal({ format: 'cobertura', part: 1, whole: 2 });
    expect(doubts).to.deep.equal(['it, by its line-rate, says 1 covered lines and lists 2']);
    expect(await figures(xml(two, 'line-rate="0"'))).to.deep.equal([0, 2, 1]);
    expect(await figures(xml(two, 'line-rate="0" lines-valid="4"'))).to.deep.equal([0, 4, 2]);
    for (const head of ['line-rate="1"', 'line-rate="1.0"', 'line-rate="0.5" lines-covered="2"'])
      expect(await figures(xml(two, head)), head).to.deep.equal([2, 2, 0]);
    for (const head of ['line-rate="0,5"', 'line-rate="50"', 'line-rate="1.01"'])
      expect(await faultIn(xml(two, head)), head).to.contain('line-rate');
  });

  it('is not doubted for a share that is rounded', async () => {
    for (const [covered, lines] of [
      [1, 3],
      [2, 3],
      [11, 14],
      [5, 7],
    ] as const) {
      const listed = Array.from({ length: lines }, (_, at) => `<line number="${at}" hits="${at < covered ? 1 : 0}"/>`);
      const share = covered / lines;
      for (const rate of [share, Math.fround(share), share.toFixed(2), share.toFixed(4), share.toPrecision(4)])
        expect(await figures(xml(aClass(listed.join('')), `line-rate="${rate}"`)), `${rate}`).to.deep.equal([
          covered,
          lines,
          0,
        ]);
    }
  });

  it('is refused where it is cut short, of another kind or without figures', async () => {
    const one = aClass('<line number="1" hits="1"/>');
    expect(await faultIn(readCoverage(pieces(`<coverage><packages>${one}`)))).to.contain('is cut short');
    expect(await faultIn(readCoverage(pieces('<report name="jacoco"/>')))).to.contain('begins with <report>');
    expect(await faultIn(readCoverage(pieces('<coverage clover="4"><project/></coverage>')))).to.contain('Clover');
    expect(await faultIn(xml(''))).to.equal('lists no line of code');
    expect(await faultIn(xml(one, 'lines-valid="many"'))).to.contain('lines-valid');
    expect(await faultIn(xml('<line number="1" hits="1"/>'))).to.contain('outside of a class');
    expect(await faultIn(xml('<class><lines/></class>'))).to.contain('without a filename');
    expect(await faultIn(xml(`<class filename="a">${one}</class>`))).to.contain('class within a class');
    for (const line of ['<line hits="1"/>', '<line number="1"/>', '<line number="1" hits="yes"/>'])
      expect(await faultIn(xml(aClass(line)))).to.contain('without number or hits');
    const entity = '<!DOCTYPE coverage [<!ENTITY a "b">]><coverage/>';
    expect(await faultIn(readCoverage(pieces(entity)))).to.contain('entities');
    expect(await faultIn(readCoverage(pieces(`<coverage>${'<a>'.repeat(2000)}`)))).to.contain('nested more than');
    const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}="1"`).join(' ');
    expect(await faultIn(xml(one, attributes(1001)))).to.contain('more than 1000 attributes');
    expect(await figures(xml(`${one}<a ${attributes(600)}/><b ${attributes(600)}/>`))).to.deep.equal([1, 1, 0]);
  });
});

describe('a report of Lighthouse', () => {
  const read = (report: unknown, category = 'performance') =>
    readLighthouse(pieces(typeof report === 'string' ? report : JSON.stringify(report), 1000), category);
  const scored = (score: unknown, more: object = {}) => ({
    lighthouseVersion: '12.8.2',
    categories: { performance: { score } },
    ...more,
  });

  it('rounds down, and knows every hundredth', async () => {
    for (let hundredths = 0; hundredths <= 100; hundredths += 1)
      expect(await figures(read(scored(hundredths / 100)))).to.deep.equal([hundredths, 100, 0]);
    expect((await read(scored(0.999))).part).to.equal(99);
  });

  it('is refused without a score, or where the page was not audited', async () => {
    for (const score of [null, undefined, '0.9', -1, 1.01, true])
      expect(await faultIn(read(scored(score)))).to.contain('has no score of performance');
    const failed = { runtimeError: { code: 'NO_FCP', message: 'x' } };
    expect(await faultIn(read(scored(0.9, failed)))).to.contain('could not be audited (NO_FCP)');
    expect((await read(scored(0.9, { runtimeError: { code: 'NO_ERROR' } }))).part).to.equal(90);
    expect(await faultIn(read(scored(1), '__proto__'))).to.contain('has no category');
    expect(await faultIn(read(''))).to.contain('is empty');
    expect(await faultIn(read('{"lighthouseVersion": "12'))).to.contain('is cut short');
    for (const other of ['[]', 'null', '{}', '{"categories": {}}', '{"lighthouseVersion": "1", "categories": []}'])
      expect(await faultIn(read(other))).to.contain('is no report of Lighthouse');
  });

  it('is refused when it is nested too deep to be kept, or says a score twice', async () => {
    const deep = `{"lighthouseVersion": "12", "categories": {"performance": {"score": 1}}, "x": ${'['.repeat(1000)}${']'.repeat(1000)}}`;
    expect(await faultIn(read(deep))).to.contain('nested more than 1000 levels deep');
    const twice = '{"lighthouseVersion": "12", "categories": {"performance": {"score": 0.1, "score": 1}}}';
    expect(await faultIn(read(twice))).to.contain('names the member "score" twice');
    const hidden =
      '{"lighthouseVersion": "12", "x": {"categories": {"performance": {"score": 1}}}, "categories": {"seo": {}}}';
    expect(await faultIn(read(hidden))).to.match(/has no category performance: it has seo$/);
  });

  it('names some of many categories', async () => {
    const categories = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, { score: 1 }]));
    const fault = await faultIn(read({ lighthouseVersion: '12', categories }));
    expect(fault).to.match(/it has c0, c1, .*, c19$/);
  });
});
