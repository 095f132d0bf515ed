import { expect } from 'chai';
import fc from 'fast-check';
import { analyseRelease } from '../../src/analysis/analyse-release.js';
import { PROGRESS_STEPS } from '../../src/analysis/movement.js';
import type { Issue } from '../../src/issue.js';
import { anyEdits, DAY, livesOf, START } from './issue-lives.js';
import { record } from './release-records.js';

/** What the facts of the score count, told from the issues themselves. */
const counted = (issues: readonly Issue[]) => {
  const inside = issues.filter(({ releaseId, state }) => releaseId === 'r1' && state !== 'canceled');
  const bugs = inside.filter(({ type }) => type === 'bug');
  return {
    done: inside.filter(({ state }) => state === 'done').length,
    total: inside.length,
    bugs: bugs.length,
    openBugs: bugs.filter(({ state }) => state !== 'done').length,
  };
};

const anyCase = fc
  .record({
    edits: anyEdits,
    step: fc.constantFrom(...PROGRESS_STEPS),
    startsAt: fc.option(fc.integer({ min: START - DAY, max: START + 60 * DAY })),
    from: fc.option(fc.integer({ min: START - 9 * DAY, max: START + 40 * DAY })),
    to: fc.option(fc.integer({ min: START + 40 * DAY, max: START + 200 * DAY })),
  })
  .map(({ edits, startsAt, from, to, step }) => {
    const lives = livesOf(edits);
    const events = lives.events.filter(({ releaseId }) => releaseId === 'r1');
    const now = START + 150 * DAY;
    return { lives, events, analysis: analyseRelease(record({ events, startsAt }), { from, to, step }, now) };
  });

describe('what an analysis conserves', () => {
  it('shows at every point what the facts of that moment counted', () => {
    fc.assert(
      fc.property(anyCase, ({ lives, analysis }) => {
        for (const { at, done, total, bugs, openBugs } of analysis.points)
          expect({ done, total, bugs, openBugs }).to.deep.equal(counted(lives.at(at)));
        const { done, total, bugs, openBugs } = counted(lives.at(analysis.asOf));
        expect(analysis.release.issues).to.deep.equal({ done, total });
        expect(analysis.release.bugs).to.deep.equal({ open: openBugs, total: bugs });
      }),
    );
  });

  it('adds up: added - removed - canceled is the total, before and after the start together', () => {
    fc.assert(
      fc.property(anyCase, ({ analysis: { release } }) => {
        const flows = [release.scope.beforeStart, ...(release.scope.afterStart ? [release.scope.afterStart] : [])];
        for (const { added, removed, canceled, net } of flows) expect(added - removed - canceled).to.equal(net);
        expect(flows.reduce((sum, { net }) => sum + net, 0)).to.equal(release.issues.total);
      }),
    );
  });

  it('loses no movement between points, for any step', () => {
    fc.assert(
      fc.property(anyCase, ({ analysis: { points } }) => {
        for (const [place, point] of points.entries()) {
          const before = points[place - 1];
          const change = point.added - point.removed - point.canceled;
          if (before !== undefined) expect(point.total - before.total).to.equal(change);
        }
      }),
    );
  });

  it('is the same for any order of the moments', () => {
    fc.assert(
      fc.property(anyCase, fc.func(fc.integer()), ({ events }, weight) => {
        const ranks = new Map(events.map(({ at }) => [at, weight(at)]));
        const told = events.toSorted((a, b) => (ranks.get(a.at) ?? 0) - (ranks.get(b.at) ?? 0) || a.at - b.at);
        const asked = { from: null, to: null, step: 'change' } as const;
        const analyse = (given: typeof events) => analyseRelease(record({ events: given }), asked, START + 150 * DAY);
        expect(analyse(told)).to.deep.equal(analyse(events));
      }),
    );
  });
});
