import { expect } from 'chai';
import { FULL, USUAL } from '../src/rows/row.js';
import { readArguments } from '../src/run-rows.js';

describe('readArguments', () => {
  it('wants every row at the usual size unless told otherwise', () => {
    const { rows, size, write } = readArguments([]);
    expect(rows.map(({ name }) => name)).to.deep.equal([
      'engine',
      'postgres-writes',
      'sqlite-writes',
      'slower-disk-writes',
      'report-cost',
      'peer-report',
      'processes',
      'readiness-reads',
      'portfolio',
      'past-import',
      'host-import',
      'scorecard-paint',
      'start',
      'bundles',
    ]);
    expect(size).to.deep.equal(USUAL);
    expect(write).to.equal(false);
  });

  it('takes names of rows, sizes and the page', () => {
    const { rows, size, options, write } = readArguments([
      '--',
      'sqlite-writes',
      '--rounds',
      '2',
      '--seconds',
      '0.5',
      '--write',
    ]);
    expect(rows.map(({ name }) => name)).to.deep.equal(['sqlite-writes']);
    expect(size).to.deep.equal({ ...USUAL, rounds: 2, seconds: 0.5 });
    expect(options).to.deep.equal(['--rounds 2', '--seconds 0.5']);
    expect(write).to.equal(true);
    expect(readArguments(['--full']).size).to.deep.equal(FULL);
    expect(readArguments(['--deployments', '5000']).size.deployments).to.equal(5000);
    expect(readArguments(['--issues', '500']).size.issues).to.equal(500);
    expect(readArguments(['--projects', '50']).size.projects).to.equal(50);
    expect(readArguments(['--past', '7000']).size.past).to.equal(7000);
    expect(readArguments(['--full', '--write']).options).to.deep.equal(['--full']);
  });

  it('refuses what it does not know', () => {
    expect(() => readArguments(['engin'])).to.throw('No such row: engin.');
    expect(() => readArguments(['--rounds', 'many'])).to.throw('--rounds wants a number above 0, not many.');
    expect(() => readArguments(['--quick'])).to.throw();
  });
});
