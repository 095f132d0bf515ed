import { expect } from 'chai';
import fc from 'fast-check';
import { Attempts, IdentityTable } from '../src/attempts.js';
import { type Outcome, Tally } from '../src/tally.js';

const outcomes = fc.constantFrom<Outcome>('passed', 'failed', 'errored', 'skipped');

/** The rule said again, with everything at hand: failures and at most one pass at the end are one test, else all count. */
const countedOnce = (tries: readonly Outcome[]): readonly Outcome[] => {
  const ran = tries.filter((outcome) => outcome !== 'skipped');
  const skipped = tries.filter((outcome) => outcome === 'skipped');
  const firstPass = ran.indexOf('passed');
  const isRetry = firstPass === -1 || firstPass === ran.length - 1;
  return [...skipped, ...(isRetry ? ran.slice(-1) : ran)];
};

const tallied = (all: readonly Outcome[]): Tally => {
  const tally = new Tally();
  for (const outcome of all) tally.add(outcome);
  return tally;
};

describe('Attempts', () => {
  it('counts as the rule says, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), outcomes), { maxLength: 40 }), (tries) => {
        const tally = new Tally();
        const attempts = new Attempts(tally);
        for (const [name, outcome] of tries) attempts.add(String(name), outcome);
        const expected = [0, 1, 2, 3, 4].flatMap((name) =>
          countedOnce(tries.filter(([one]) => one === name).map(([, outcome]) => outcome)),
        );
        const { passed, failed, errored, skipped } = tallied(expected);
        expect(tally).to.include({ passed, failed, errored, skipped });
        // What was folded away is known as listed, as often as it was.
        expect(tally.failuresNotCounted).to.equal(tries.length - expected.length);
      }),
    );
  });

  it('never makes a failure vanish without a pass of the same name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.constantFrom<Outcome>('failed', 'errored'))), (tries) => {
        const tally = new Tally();
        const attempts = new Attempts(tally);
        for (const [name, outcome] of tries) attempts.add(String(name), outcome);
        expect(tally.total).to.equal(new Set(tries.map(([name]) => name)).size);
        expect(tally.passed).to.equal(0);
      }),
    );
  });
});

describe('IdentityTable', () => {
  it('tells 100,000 names apart and knows each again', () => {
    const table = new IdentityTable();
    const names = Array.from({ length: 100_000 }, (_, at) => `com.example.Suite${at % 97}\0test ${at}`);
    expect(names.map((name) => table.numberOf(name))).to.deep.equal(names.map((_, at) => at));
    expect(names.every((name, at) => table.numberOf(name) === at)).to.equal(true);
    expect(table.size).to.equal(100_000);
  });
});
