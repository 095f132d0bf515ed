import { expect } from 'chai';
import { laterOf, lengthOf, momentOf, sumOf, Tally } from '../src/tally.js';

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

describe('lengthOf', () => {
  it('reads lengths, grouped or not', () => {
    expect(['1.5', '1,234.5', 0, '0', 7].map(lengthOf)).to.deep.equal([1.5, 1234.5, 0, 0, 7]);
  });

  it('takes nothing else for one', () => {
    for (const value of ['', ' ', '-1', -1, 'soon', Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}])
      expect(lengthOf(value), String(value)).to.equal(undefined);
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
