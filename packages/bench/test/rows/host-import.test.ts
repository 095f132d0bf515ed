import { expect } from 'chai';
import { isMet } from '../../src/figures.js';
import { markdownTable } from '../../src/page/table.js';
import { hostImport, type ImportFigures, importLines, trafficWords } from '../../src/rows/host-import.js';
import { runSmall } from './smoke-size.js';

describe('the row of the import from a host', () => {
  it('imports into both databases and finds every row of the host again', async () => {
    const { lines, verifiedRecords, remarks } = await runSmall(hostImport);
    expect(lines).to.have.length(process.platform === 'linux' ? 12 : 8);
    // Two databases; 5 runs of 500 issues and 100 deployments, the last 3 of them with 5 more.
    expect(verifiedRecords).to.equal(2 * (5 * 600 + 3 * 5));
    expect(remarks.join('\n')).to.include('Requests of the first run: 0 conditional');
  });
});

const NOTHING = { conditional: 3, notModified: 3, rest: 0, graphql: 0 };
const turn: ImportFigures = {
  milliseconds: 5_000,
  first: { conditional: 0, notModified: 0, rest: 15, graphql: 120 },
  nothingNew: NOTHING,
  underWay: { ...NOTHING, graphql: 1 },
  changed: { conditional: 3, notModified: 0, rest: 1, graphql: 2 },
  memory: { before: { now: 100, peak: 110 }, after: { now: 140, peak: 150 } },
  verified: 12_000,
  plain: { milliseconds: 1_000, requests: 121 },
};
const lines = (changes: Partial<ImportFigures> = {}) => importLines([{ ...turn, ...changes }], 'SQLite', 12_000);
const verdicts = (changes: Partial<ImportFigures> = {}): readonly boolean[] => lines(changes).map(isMet);

describe('the lines of an import', () => {
  it('are compared with a plain reading and the process before', () => {
    expect(
      markdownTable(lines())
        .split('\n')
        .slice(2)
        .map((line) => line.split(' | ').slice(2).join(' | ')),
    ).to.deep.equal([
      '5.00 s | 1.00 s | 5.00x | - |  |',
      '135 | 121 | 1.12x | <= 135 | met |',
      '3 | 3 | 1.00x | >= 1x | met |',
      '6 | 121 | 0.05x | - |  |',
      '150 MB | 100 MB | 1.50x | <= 150 MB | met |',
      '140 MB | 100 MB | 1.40x | - |  |',
    ]);
  });

  it('miss their aims with one request too many, one that is not a 304, or too much memory', () => {
    const first = { ...turn.first, graphql: 121 };
    expect(verdicts({ first })).to.deep.equal([true, false, true, true, true, true]);
    const nothingNew = { ...NOTHING, graphql: 1 };
    expect(verdicts({ nothingNew })).to.deep.equal([true, true, false, true, true, true]);
    const memory = { before: { now: 100, peak: 100 }, after: { now: 100, peak: 151 } };
    expect(verdicts({ memory })).to.deep.equal([true, true, true, true, false, true]);
  });

  it('say nothing about memory where the system does not', () => {
    expect(lines({ memory: null })).to.have.length(4);
  });

  it('name requests by kind', () => {
    expect(trafficWords(turn.underWay)).to.equal('3 conditional (3 answered with 304), 0 other REST, 1 GraphQL');
  });
});
