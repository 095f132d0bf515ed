import { homedir } from 'node:os';
import { expect } from 'chai';
import type { Line } from '../../src/figures.js';
import { machine } from '../../src/page/machine.js';
import { type FinishedRow, partsOf, performancePage, withMark } from '../../src/page/performance-page.js';

const line: Line = {
  what: 'writes',
  against: 'bare inserts',
  unit: 'per second',
  measured: 300,
  baseline: 100,
  ratio: 3,
  rounds: 5,
  aims: [],
};
const row = (name: string, changes: Partial<Line> = {}, load: number | null = 0.7): FinishedRow => ({
  name,
  title: `The ${name}`,
  result: { lines: [{ ...line, ...changes }], verifiedRecords: 400, remarks: [`Read back for ${name}: 400.`] },
  command: `npm run bench -- ${name} --full`,
  load,
});
const order = ['engine', 'writes', 'reads'];
const pageOf = (
  finished: readonly FinishedRow[],
  former = '',
  on: readonly string[] = ['2 cores', 'Node 20'],
): string => performancePage({ order, finished, machine: on, former });
const whole = pageOf(order.map((name) => row(name)));

describe('the page of figures', () => {
  it('holds each row with its remarks and its command, and what they were measured on', () => {
    expect(whole).to.include('\n- 2 cores\n- Node 20\n');
    expect(whole).to.include('## The writes\n\n| what |');
    expect(whole).to.include('| writes | bare inserts | 300/s | 100/s | 3.00x | - |');
    expect(whole).to.include(
      '- Medians of 5 rounds of `npm run bench -- writes --full`, begun at a load average of 0.7.\n- Read back for writes: 400.\n',
    );
    expect(pageOf([row('writes', { rounds: 1 }, null)])).to.include(
      '\n- Figures of `npm run bench -- writes --full`.\n',
    );
    expect(whole).to.not.include('Missed');
  });

  it('keeps the sections of rows that did not run, in the order of the rows', () => {
    const again = pageOf([row('writes', { measured: 900 })], whole);
    expect(again).to.equal(whole.replace(/300\/s(?=.*\n\n- Medians of 5 rounds of `npm run bench -- writes)/, '900/s'));
    const [reads, writes, all] = [pageOf([row('reads')]), pageOf([row('writes')], pageOf([row('reads')])), whole];
    expect(reads).to.not.include('The writes');
    expect(pageOf([row('engine')], writes)).to.equal(all);
    expect(pageOf([row('reads')], 'A page of before without marks.\n')).to.equal(reads);
  });

  it('leaves out rows that there are no longer', () => {
    expect(
      performancePage({ order: ['writes'], finished: [], machine: ['2 cores', 'Node 20'], former: whole }),
    ).to.equal(pageOf([row('writes')]));
  });

  it('says of a section where it was measured when that is not what the head says', () => {
    const elsewhere = pageOf([row('writes')], whole, ['2 cores', 'Node 22']);
    expect(elsewhere).to.include('- 2 cores\n- Node 20\n');
    expect(elsewhere).to.include('begun at a load average of 0.7.\n- Measured with Node 22.\n- Read back for writes');
    expect(
      pageOf(
        order.map((name) => row(name)),
        whole,
        ['2 cores', 'Node 22'],
      ),
    ).to.not.include('Node 20');
  });

  it('does not tell where on the machine it ran', () => {
    const text = pageOf([row('engine')], '', machine());
    expect(text)
      .to.match(/\d+ cores/)
      .and.to.match(/Node \d+/)
      .and.to.match(/PostgreSQL \d+\.\d+/);
    expect(text).to.match(/koa 3\.\S+, pg 8\.\S+, knex \S+, sqlite3 \d\S+, octokit \d\S+, json-rules-engine \d/);
    expect(text).to.not.include(`${homedir()}/`);
    expect(text).to.not.include(process.cwd());
  });
});

describe('the parts of the page of figures', () => {
  it('are taken apart at their marks', () => {
    const page = `# Head\n\nText.\n\n${withMark('one', '## One\n\nFigures.')}\n\n${withMark('two', '## Two')}\n`;
    const { head, sections } = partsOf(page);
    expect(head).to.equal('# Head\n\nText.');
    expect([...sections]).to.deep.equal([
      ['one', '## One\n\nFigures.'],
      ['two', '## Two'],
    ]);
  });

  it('are none of a page without marks, or of none', () => {
    for (const page of ['', '# Performance\n\n## By hand\n']) {
      const { head, sections } = partsOf(page);
      expect(head).to.equal('');
      expect(sections.size).to.equal(0);
    }
  });
});
