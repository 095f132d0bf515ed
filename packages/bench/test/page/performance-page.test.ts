import { homedir } from 'node:os';
import { expect } from 'chai';
import { performancePage } from '../../src/page/performance-page.js';
import { USUAL } from '../../src/rows/row.js';

describe('the page of figures', () => {
  const line = {
    what: 'writes',
    against: 'bare inserts',
    unit: 'per second',
    measured: 300,
    baseline: 100,
    ratio: 3,
    rounds: 5,
    aims: [],
  } as const;
  const result = { lines: [line], verifiedRecords: 400, remarks: ['Read back: 400.'] };
  const page = performancePage([{ title: 'Durable writes', result }], USUAL, 'Quiet.');

  it('holds each row with its remarks, and what it was measured on', () => {
    expect(page).to.include('## Durable writes\n\n| what |');
    expect(page).to.include('| writes | bare inserts | 300/s | 100/s | 3.00x | - |');
    expect(page).to.include('- Read back: 400.\n');
    expect(page)
      .to.match(/\d+ cores/)
      .and.to.match(/Node \d+/)
      .and.to.match(/PostgreSQL \d+\.\d+/);
    expect(page).to.match(/koa 3\.\S+, pg 8\.\S+, knex \S+, sqlite3 \d\S+, octokit \d\S+, json-rules-engine \d/);
    expect(page).to.include('- Quiet.');
  });

  it('does not tell where on the machine it ran', () => {
    expect(page).to.not.include(`${homedir()}/`);
    expect(page).to.not.include(process.cwd());
  });
});
