import { expect } from 'chai';
import fc from 'fast-check';
import {
  assessRelease,
  factsAfter,
  type ReleaseFacts,
  type SourceFacts,
  sourceFacts,
} from '../../src/readiness/index.js';
import { silenceOf, silentSources } from '../../src/readiness/silent-source.js';
import { anyCase } from './arbitrary-release.js';
import { checklist, deployments, HOUR, NOW, policy, ready, testRun } from './sample-release.js';

const every = (hours: number, records: number): readonly number[] =>
  Array.from({ length: records }, (_, index) => NOW - index * hours * HOUR);
const deploying = (deployments: SourceFacts | null, testRuns: SourceFacts | null = null): ReleaseFacts =>
  ready({ sources: { deployments, testRuns } });
const DAILY: SourceFacts = { lastAt: NOW, medianMs: 24 * HOUR };

describe("a source's rhythm", () => {
  it('is none without records, and unknown below five', () => {
    expect(sourceFacts([])).to.equal(null);
    expect(sourceFacts(every(2, 4))).to.deep.equal({ lastAt: NOW, medianMs: null });
    expect(sourceFacts(every(2, 5))).to.deep.equal({ lastAt: NOW, medianMs: 2 * HOUR });
  });

  it('is the median interval: one long pause does not change it, and of two middle values it is the mean', () => {
    const paused = [...every(1, 6), NOW - 1_000 * HOUR];
    expect(sourceFacts(paused)?.medianMs).to.equal(HOUR);
    expect(sourceFacts([0, 10, 20, 33, 46].map((at) => NOW + at))?.medianMs).to.equal(11);
  });

  it('is that of the last twenty records, for any order', () => {
    const lately = every(1, 20);
    const before = Array.from({ length: 30 }, (_, index) => NOW - (100 + index * 9) * HOUR);
    expect(sourceFacts([...before, ...lately.toReversed()])).to.deep.equal(sourceFacts(lately));
  });

  it('agrees with the intervals written out, sorted and halved', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: NOW - 99, max: NOW }), { minLength: 5, maxLength: 20 }), (moments) => {
        const ordered = moments.toSorted((a, b) => a - b);
        const gaps = ordered.flatMap((at, index) => (index === 0 ? [] : [at - (ordered[index - 1] ?? at)]));
        const { medianMs = null } = sourceFacts(moments) ?? {};
        const shorter = gaps.filter((gap) => medianMs !== null && gap < medianMs).length;
        const longer = gaps.filter((gap) => medianMs !== null && gap > medianMs + 1).length;
        expect(shorter).to.be.at.most(gaps.length / 2);
        expect(longer).to.be.at.most(gaps.length / 2);
      }),
    );
  });
});

describe('a silent source', () => {
  it('is one of which nothing came for three times its rhythm', () => {
    const [limitMs, since] = [72 * HOUR, NOW + 72 * HOUR];
    const silence = { source: 'deployments', lastAt: NOW, limitMs, basis: 'rhythm', since } as const;
    expect(silenceOf('deployments', DAILY, null)).to.deep.equal(silence);
    expect(silentSources(deploying(DAILY), policy({}), since - 1)).to.deep.equal([]);
    expect(silentSources(deploying(DAILY), policy({}), since)).to.deep.equal([silence]);
  });

  it('is given an hour at least', () => {
    const burst = { lastAt: NOW, medianMs: 1_000 };
    expect(silenceOf('test_runs', burst, null)?.since).to.equal(NOW + HOUR);
  });

  it('is measured by the policy’s limit if there is one, with any rhythm', () => {
    const strict = policy({ silenceHours: 0.5 });
    for (const medianMs of [null, 24 * HOUR]) {
      const [found] = silentSources(deploying({ lastAt: NOW, medianMs }), strict, NOW + HOUR / 2);
      expect(found).to.include({ basis: 'policy', limitMs: HOUR / 2, since: NOW + HOUR / 2 });
    }
  });

  it('is counted in whole minutes', () => {
    const [found] = silentSources(
      deploying({ lastAt: NOW, medianMs: null }),
      policy({ silenceHours: 2.3 }),
      NOW + 3 * HOUR,
    );
    expect(found?.limitMs).to.equal(138 * 60_000);
    const [soon] = silentSources(
      deploying({ lastAt: NOW, medianMs: null }),
      policy({ silenceHours: 1e-9 }),
      NOW + HOUR,
    );
    expect(soon?.limitMs).to.equal(60_000);
  });

  it('is never one that was not used, has no rhythm yet, or belongs to a closed release', () => {
    const late = NOW + 100_000 * HOUR;
    expect(silentSources(deploying(null), policy({ silenceHours: 1 }), late)).to.deep.equal([]);
    expect(silentSources(deploying({ lastAt: NOW, medianMs: null }), policy({}), late)).to.deep.equal([]);
    expect(silentSources(ready({}), policy({ silenceHours: 1 }), late)).to.deep.equal([]);
  });

  it('is named beside the others, deployments first', () => {
    const found = silentSources(deploying(DAILY, DAILY), policy({}), NOW + 72 * HOUR);
    expect(found.map(({ source }) => source)).to.deep.equal(['deployments', 'test_runs']);
  });

  it('is silent no more after a step that records something of it', () => {
    const late = NOW + 72 * HOUR;
    const silentAfter = (facts: ReleaseFacts) => {
      const { nextSteps } = assessRelease(facts, policy({}), late).gate;
      return silentSources(factsAfter(facts, nextSteps, late), policy({}), late).map(({ source }) => source);
    };
    const facts = deploying(DAILY, DAILY);
    expect(silentAfter({ ...facts, verification: null })).to.deep.equal(['deployments']);
    expect(silentAfter({ ...facts, verification: null, stability: deployments(1, 1) })).to.deep.equal([]);
    expect(silentAfter({ ...facts, verification: testRun(1, 2) })).to.deep.equal(['deployments']);
    expect(silentAfter({ ...facts, ops: checklist(1, 3) })).to.deep.equal(['deployments', 'test_runs']);
  });

  it('changes neither score nor decision', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        const sources = { deployments: { lastAt: NOW - 99 * HOUR, medianMs: 1 }, testRuns: null };
        const loud = assessRelease({ ...facts, sources: { deployments: null, testRuns: null } }, rules, NOW, waivers);
        const silent = assessRelease({ ...facts, sources }, rules, NOW, waivers);
        expect(silent.silentSources).to.have.lengthOf(1);
        expect({ ...silent, silentSources: [] }).to.deep.equal({ ...loud, silentSources: [] });
      }),
    );
  });
});
