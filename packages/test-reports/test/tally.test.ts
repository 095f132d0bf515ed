import { expect } from 'chai';
import fc from 'fast-check';
import { Attempts, durationOf, IdentityTable, laterOf, momentOf, type Outcome, sumOf, Tally } from '../src/tally.js';

describe('momentOf', () => {
  it('reads moments with their zone', () => {
    const moment = Date.UTC(2026, 10, 20, 9, 30);
    for (const text of [
      '2026-11-20T09:30:00Z',
      '2026-11-20T10:30:00.000+01:00',
      '2026-11-20T09:30Z',
      'Fri, 20 Nov 2026 09:30:00 GMT',
      moment,
    ])
      expect(momentOf(text), String(text)).to.equal(moment);
  });

  it('guesses no zone and takes nothing else for a moment', () => {
    for (const value of [
      '2026-11-20T09:30:00',
      '20.11.2026',
      '2026-13-20T09:30:00Z',
      '',
      0,
      -1,
      Number.NaN,
      1e300,
      null,
      true,
      undefined,
    ])
      expect(momentOf(value), String(value)).to.equal(undefined);
  });
});

describe('durationOf', () => {
  it('reads lengths, grouped or not', () => {
    expect(['1.5', '1,234.5', 0, '0', 7].map(durationOf)).to.deep.equal([1.5, 1234.5, 0, 0, 7]);
  });

  it('takes nothing else for one', () => {
    for (const value of ['', ' ', '-1', -1, 'soon', Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}])
      expect(durationOf(value), String(value)).to.equal(undefined);
  });
});

describe('laterOf', () => {
  it('answers the later one, or the one that is known', () => {
    expect([laterOf(1, 2), laterOf(2, 1), laterOf(undefined, 1), laterOf(1, undefined)]).to.deep.equal([2, 2, 1, 1]);
    expect(laterOf(undefined, undefined)).to.equal(undefined);
  });
});

describe('sumOf', () => {
  it('adds reports up as one run, with the length of all and the last end', () => {
    const [one, other] = [new Tally(), new Tally()];
    one.add('passed');
    one.add('failed', 2);
    one.doubt('one');
    other.add('skipped');
    other.noteUnknown('odd');
    const counts = [one.counts('junit', { durationSeconds: 2, ranAt: 5 }), other.counts('tap', { ranAt: 9 })];
    expect(sumOf(counts)).to.deep.equal({
      total: 4,
      passed: 1,
      failed: 2,
      errored: 1,
      skipped: 1,
      doubts: ['one', '1 test has the status "odd", which is not known'],
      durationSeconds: 2,
      ranAt: 9,
    });
  });

  it('says nothing of times that no report says', () => {
    expect(sumOf([])).to.deep.equal({ total: 0, passed: 0, failed: 0, errored: 0, skipped: 0, doubts: [] });
  });
});

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
  it('counts as the rule says, for any order', () => {
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
