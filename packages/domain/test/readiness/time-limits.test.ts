import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, type Policy, type ReleaseFacts, type Waiver } from '../../src/readiness/index.js';
import { lastTimeLimit, nextTimeLimit, timeLimitsBetween } from '../../src/readiness/time-limits.js';
import { anyCase } from './arbitrary-release.js';
import { HOUR, NOW, policy, READY, ready, testRun, waiver } from './sample-release.js';

const limits = (facts: ReleaseFacts, rules: Policy, waivers: readonly Waiver[], now: number) => [
  lastTimeLimit(facts, rules, waivers, now),
  nextTimeLimit(facts, rules, waivers, now),
];
const anySource = fc.option(
  fc.record({
    lastAt: fc.integer({ min: -3, max: 1 }).map((hours) => NOW + hours * HOUR),
    medianMs: fc.option(fc.constantFrom(0, 1, HOUR / 3 + 50, HOUR)),
  }),
);
const daily = policy({ freshnessHours: 24 });

describe('time limits: when a report changes by time alone', () => {
  it('there is none without waivers and freshness', () => {
    expect(limits(READY, policy({}), [], NOW)).to.deep.equal([null, null]);
  });

  it('there is none for freshness without a test run', () => {
    expect(limits(ready({ verification: null }), daily, [], NOW)).to.deep.equal([null, null]);
  });

  it('a waiver expires: before, at and after that moment', () => {
    const waivers = [waiver({ expiresAt: NOW })];
    expect(limits(READY, policy({}), waivers, NOW - 1)).to.deep.equal([null, NOW]);
    expect(limits(READY, policy({}), waivers, NOW)).to.deep.equal([NOW, null]);
    expect(limits(READY, policy({}), waivers, NOW + HOUR)).to.deep.equal([NOW, null]);
  });

  it('a withdrawn waiver changes nothing when it expires', () => {
    const withdrawn = waiver({ withdrawnAt: NOW - HOUR, expiresAt: NOW });
    expect(limits(READY, policy({}), [withdrawn], NOW - 1)).to.deep.equal([null, null]);
    expect(limits(READY, policy({}), [withdrawn], NOW)).to.deep.equal([null, null]);
  });

  it('a test run becomes stale one millisecond after its freshness', () => {
    const facts = ready({ verification: testRun(9, 10, { ranAt: NOW }) });
    const stale = NOW + 24 * HOUR + 1;
    expect(limits(facts, daily, [], stale - 1)).to.deep.equal([null, stale]);
    expect(limits(facts, daily, [], stale)).to.deep.equal([stale, null]);
  });

  it('a source falls silent: before, at and after that moment', () => {
    const facts = ready({ sources: { deployments: { lastAt: NOW, medianMs: 24 * HOUR }, testRuns: null } });
    const since = NOW + 72 * HOUR;
    expect(limits(facts, policy({}), [], since - 1)).to.deep.equal([null, since]);
    expect(limits(facts, policy({}), [], since)).to.deep.equal([since, null]);
    expect(limits(facts, policy({ silenceHours: 1 }), [], since)).to.deep.equal([NOW + HOUR, null]);
  });

  it('of several the nearest on each side counts', () => {
    const facts = ready({ verification: testRun(9, 10, { ranAt: NOW - 24 * HOUR - 11 }) });
    const waivers = [-5, -20, 7, 3].map((after) => waiver({ expiresAt: NOW + after }));
    expect(limits(facts, daily, waivers, NOW)).to.deep.equal([NOW - 5, NOW + 3]);
    expect(limits(facts, daily, [], NOW)).to.deep.equal([NOW - 10, null]);
  });

  it('within a time are each told once, in order, the first moment left out and the last not', () => {
    const facts = ready({ verification: testRun(9, 10, { ranAt: NOW - 24 * HOUR - 11 }) });
    const waivers = [7, 3, 3, -20].map((after) => waiver({ expiresAt: NOW + after }));
    const between = (from: number, to: number) => timeLimitsBetween(facts, daily, waivers, NOW + from, NOW + to);
    expect(between(-21, 7)).to.deep.equal([NOW - 20, NOW - 10, NOW + 3, NOW + 7]);
    expect(between(-20, 6)).to.deep.equal([NOW - 10, NOW + 3]);
    expect(between(7, 9)).to.deep.equal([]);
  });

  it('between two limits the report reads the same but for its moment', () => {
    fc.assert(
      fc.property(
        anyCase,
        fc.integer({ min: -1, max: 3 }),
        fc.nat(200),
        fc.record({ deployments: anySource, testRuns: anySource }),
        fc.constantFrom(null, null, 1, 0.5),
        (found, hours, ms, sources, silenceHours) => {
          const { waivers } = found;
          const facts = { ...found.facts, sources };
          const rules = { ...found.policy, silenceHours };
          const now = NOW + hours * HOUR + ms;
          // Signing a waiver is a change, not a limit of time.
          const signed = waivers.filter(({ createdAt }) => createdAt <= NOW - HOUR);
          const read = (asOf: number) => ({ ...assessRelease(facts, rules, asOf, signed), asOf: 0 });
          const last = lastTimeLimit(facts, rules, signed, now);
          const next = nextTimeLimit(facts, rules, signed, now);
          const earliest = Math.max(last ?? NOW - HOUR, NOW - HOUR);
          expect(read(earliest)).to.deep.equal(read(now));
          if (next !== null) expect(read(Math.max(next - 1, now))).to.deep.equal(read(now));
          if (last !== null) expect(last).to.be.at.most(now);
          if (next !== null) expect(next).to.be.greaterThan(now);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
