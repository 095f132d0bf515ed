import { expect } from 'chai';
import { assert, date, property } from 'fast-check';
import { intervalOf, momentOf, momentOrNull, wireMoment, wireMomentOrNull } from '../../src/wire/moment.js';

describe('moments on the wire', () => {
  it('are RFC 3339 in UTC with milliseconds, and read back as they were', () => {
    expect(wireMoment(0)).to.equal('1970-01-01T00:00:00.000Z');
    const days = date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    assert(property(days, (day) => momentOf(wireMoment(day.getTime())) === day.getTime()));
  });

  it('come with any offset, finer parts cut off', () => {
    expect(wireMoment(momentOf('2026-11-20T09:30:00+05:30'))).to.equal('2026-11-20T04:00:00.000Z');
    expect(momentOf('2026-11-20T09:30:00.123999999Z')).to.equal(momentOf('2026-11-20T09:30:00.123Z'));
  });

  it('may be missing', () => {
    expect(wireMomentOrNull(null)).to.equal(null);
    expect(wireMomentOrNull(0)).to.equal('1970-01-01T00:00:00.000Z');
    expect(momentOrNull(undefined)).to.equal(null);
    expect(momentOrNull('1970-01-01T00:00:01Z')).to.equal(1000);
  });

  it('bound an interval on either side, or not at all', () => {
    const [from, to] = ['1970-01-01T00:00:01Z', '1970-01-01T00:00:02Z'];
    expect(intervalOf(undefined, undefined)).to.equal(undefined);
    expect(intervalOf(from, undefined)).to.deep.equal({ from: 1000, to: null });
    expect(intervalOf(undefined, to)).to.deep.equal({ from: 0, to: 2000 });
    expect(intervalOf(from, to)).to.deep.equal({ from: 1000, to: 2000 });
  });
});
