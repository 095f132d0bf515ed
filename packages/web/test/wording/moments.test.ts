import { expect } from 'chai';
import {
  agoText,
  durationText,
  lastingText,
  localDayOf,
  longText,
  momentOfLocalDay,
} from '../../src/wording/moments.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECOND = 1000;
const HOUR = 3_600 * SECOND;

describe('moments in words', () => {
  for (const [ms, text] of [
    [4 * SECOND, 'just now'],
    [40 * SECOND, '40 seconds ago'],
    [61 * SECOND, '1 minute ago'],
    [59 * 60 * SECOND, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [23 * HOUR, '23 hours ago'],
    [24 * HOUR, 'yesterday'],
    [29 * 24 * HOUR, '29 days ago'],
    [31 * 24 * HOUR, 'last month'],
    [400 * 24 * HOUR, 'last year'],
    [-3 * HOUR, 'in 3 hours'],
  ] as const)
    it(`calls ${ms / SECOND} s ago "${text}"`, () => {
      expect(agoText(NOW - ms, NOW)).to.equal(text);
    });

  it('calls every moment as the language data of the browser do', () => {
    const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    for (const [unit, size, most] of [
      ['second', 1, 59],
      ['minute', 60, 59],
      ['hour', 3_600, 23],
      ['day', 86_400, 29],
      ['month', 30 * 86_400, 12],
      ['year', 365 * 86_400, 40],
    ] as const)
      for (let count = unit === 'second' ? 10 : 1; count <= most; count += 1)
        for (const sign of [-1, 1])
          expect(agoText(NOW + sign * count * size * SECOND, NOW)).to.equal(relative.format(sign * count, unit));
  });

  it('counts in the smaller unit where the calendar is more than one day, month or year away', () => {
    const between = (now: string, at: string) => agoText(at, Date.parse(now));
    // Times without a zone are those of the reader.
    expect(between('2026-11-21T01:00:00', '2026-11-22T23:30:00')).to.equal('tomorrow');
    expect(between('2026-11-21T23:00:00', '2026-11-23T21:30:00')).to.equal('in 46 hours');
    expect(between('2026-11-21T12:00:00', '2026-11-19T13:00:00')).to.equal('47 hours ago');
    expect(between('2026-11-21T12:00:00', '2027-01-19T12:00:00')).to.equal('in 59 days');
    expect(between('2026-11-01T12:00:00', '2026-12-30T12:00:00')).to.equal('next month');
    expect(between('2026-12-31T12:00:00', '2028-12-20T12:00:00')).to.equal('in 24 months');
    expect(between('2027-01-02T12:00:00', '2025-12-30T12:00:00')).to.equal('12 months ago');
    expect(between('2026-01-02T12:00:00', '2027-12-30T12:00:00')).to.equal('next year');
  });

  it('calls durations by their two largest units', () => {
    expect(durationText(42.4)).to.equal('42 s');
    expect(durationText(59.6)).to.equal('1 min');
    expect(durationText(185)).to.equal('3 min 5 s');
    expect(durationText(7_440)).to.equal('2 h 4 min');
    expect(durationText(7_210)).to.equal('2 h');
  });

  it('counts long spans in days', () => {
    expect(longText(7_440)).to.equal('2 h 4 min');
    expect(longText(12.4 * 86_400)).to.equal('12 days');
  });

  it('calls what lasts by its largest unit', () => {
    expect(lastingText(59)).to.equal('59 seconds');
    expect(lastingText(3 * 3_600 + 59)).to.equal('3 hours');
    expect(lastingText(86_400)).to.equal('1 day');
    expect(lastingText(-5)).to.equal('0 seconds');
  });
});

describe('calendar days', () => {
  const zone = process.env.TZ;
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  for (const place of ['America/Los_Angeles', 'UTC', 'Asia/Tokyo', 'Pacific/Auckland'])
    it(`are those of the reader in ${place}`, () => {
      process.env.TZ = place;
      for (const time of ['00:00:00', '12:00:00', '23:59:59'])
        expect(localDayOf(momentOfLocalDay('2026-12-05', time)), time).to.equal('2026-12-05');
    });

  it('are the same day in Los Angeles and Berlin at noon', () => {
    process.env.TZ = 'America/Los_Angeles';
    const noon = momentOfLocalDay('2026-12-05');
    process.env.TZ = 'Europe/Berlin';
    expect(localDayOf(noon)).to.equal('2026-12-05');
  });

  it('leave what is no day to the server', () => {
    expect(momentOfLocalDay('soon')).to.equal('soon');
    expect(momentOfLocalDay('')).to.equal('');
  });
});
