import { expect } from 'chai';
import fc from 'fast-check';
import { readDifference, recordHistory } from '../../src/use-cases/history.js';
import { type Readiness, readReadiness, readReadinessAt } from '../../src/use-cases/readiness.js';
import { happen, type Spell, spells } from './release-happenings.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const SECOND = 1_000;

interface Look {
  readonly at: number;
  readonly live: Readiness;
}

/** Lets it all happen, each spell in a second of its own, and answers what was read on the way. */
const live = async (here: ReleaseScene, all: readonly Spell[], settlesAtLast: boolean): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  const record = () => recordHistory(here, { limit: 50, leaseMs: 60_000 });
  const look = async () => {
    const report = readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    looks.push({ at: here.time.now, live: await report });
  };
  await record();
  for (const [index, { happenings, waits, recordedAfter }] of all.entries()) {
    here.time.now = (Math.floor(here.time.now / SECOND) + 1) * SECOND;
    for (const each of happenings) {
      here.time.now += 7;
      await happen(here, each);
    }
    here.time.now = Math.floor(here.time.now / SECOND) * SECOND + 999;
    await look();
    const records = settlesAtLast || index < all.length - 1;
    for (const [count, wait] of waits.entries()) {
      if (records && count === recordedAfter) await record();
      here.time.now += wait;
      await look();
    }
    if (records) await record();
  }
  return looks;
};

/** All but since when it reads so: a change that moved nothing moves that on in a live report alone. */
const shown = ({
  project,
  release,
  report,
  frozenAt,
}: Omit<Readiness, 'revision' | 'until' | 'release'> & {
  readonly release: Pick<Readiness['release'], 'id' | 'name' | 'state'>;
}) => ({ project, release: [release.id, release.name, release.state], report: { ...report, asOf: null }, frozenAt });

describe('Asked for a past moment', () => {
  it('the report is the one of that moment, after any later change and any delay of recording', async () => {
    await fc.assert(
      fc.asyncProperty(spells, fc.boolean(), async (all, settlesAtLast) => {
        const here = await releaseScene();
        const looks = await live(here, all, settlesAtLast);
        for (const { at, live: then } of looks) {
          const known = await readReadinessAt(here, { principal: here.viewer.principal, ...here.at, at });
          expect(shown(known)).to.deep.equal(shown(then));
          expect(known.report.asOf).to.be.at.most(then.report.asOf);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('the difference between two has the records of every change and time limit in between that moved it', async () => {
    await fc.assert(
      fc.asyncProperty(spells, fc.boolean(), async (all, settlesAtLast) => {
        const here = await releaseScene();
        const looks = await live(here, all, settlesAtLast);
        for (const [index, { at: to, live: after }] of looks.entries()) {
          const before = looks[index - 1];
          if (before === undefined) continue;
          const { principal } = here.viewer;
          const page = { limit: 200, after: null };
          const found = await readDifference(here, { principal, ...here.at, from: before.at, to, page });
          expect([found.from.report.score, found.to.report.score]).to.deep.equal([
            before.live.report.score,
            after.report.score,
          ]);
          expect(found.recordCount).to.equal(found.records.length);
          for (const { at } of found.records) expect(at).to.be.within(before.at + 1, to);
          const readings = [before.live, after].map(({ report }) => [
            report.score,
            report.coverage,
            report.gate.decision,
          ]);
          const moved = JSON.stringify(readings[0]) !== JSON.stringify(readings[1]);
          if (moved) expect(found.records).not.to.be.empty;
        }
      }),
      { numRuns: 100 },
    );
  });
});
