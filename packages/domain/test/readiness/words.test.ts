import { expect } from 'chai';
import fc from 'fast-check';
import { utcMinute } from '../../src/readiness/words.js';

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const written = (at: number): string => {
  const { time, date } = utcMinute(at);
  return `${date}T${time}`;
};

describe('the minute a moment lies in', () => {
  for (const text of [
    '0001-01-01T00:00:00.000Z',
    '1600-02-29T23:59:59.999Z',
    '1900-02-28T23:59:59.999Z',
    '1900-03-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '2000-02-29T12:00:00.000Z',
    '2000-12-31T23:59:00.000Z',
    '2026-11-21T14:03:59.999Z',
    '2027-02-28T00:00:00.000Z',
    '2028-02-29T00:00:59.000Z',
    '9999-12-31T23:59:59.999Z',
  ])
    it(`of ${text}`, () => {
      expect(written(Date.parse(text))).to.equal(text.slice(0, 16));
    });

  it('is the one the calendar of the language tells, for any moment of the years 1 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST, max: LAST }), (at) => {
        expect(written(at)).to.equal(new Date(at).toISOString().slice(0, 16));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is right on every day of 400 years', () => {
    const day = 86_400_000;
    const begin = Date.UTC(1900, 0, 1);
    for (let at = begin; at < begin + 146_097 * day; at += day) {
      const expected = new Date(at).toISOString().slice(0, 16);
      if (written(at) !== expected) expect(written(at)).to.equal(expected);
    }
  });
});
