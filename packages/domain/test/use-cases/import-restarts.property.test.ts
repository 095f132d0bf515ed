import { expect } from 'chai';
import fc from 'fast-check';
import { issueContent } from '../../src/repository/imported.js';
import { meetsFilter } from '../../src/repository/link.js';
import { activateRelease } from '../../src/use-cases/release.js';
import { settingsOf } from '../repository/linked-repository-of.js';
import { fill, fillings } from './arbitrary-host.js';
import { happening, happens, TITLES } from './host-happenings.js';
import { type ImportScene, importScene, issueNamed, releaseOfMilestone } from './import-scene.js';
import { planned } from './scene.js';
import { kept, stop, stopped } from './stopped-import.js';
import { DAY, HOUR } from './world.js';

const SETTINGS = { filter: { labels: ['shop'], pathPrefix: null } };
const SEEN = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7'];

const scene = async (pageSize: number): Promise<ImportScene> => {
  const here = await importScene(SETTINGS);
  here.model.pageSize = pageSize;
  const { id: releaseId } = await planned(here, 'current');
  await activateRelease(here, { by: here.member, ...here.there, releaseId, current: null });
  return here;
};

const runs = async (here: ImportScene): Promise<void> => {
  here.time.now += HOUR;
  await here.settle();
};

/** Compares with the host itself; rows that vanished there are unknown until they are looked for. */
const readsLike = async (here: ImportScene, lookedFor: boolean): Promise<void> => {
  const { filter, mapping } = settingsOf(SETTINGS);
  for (const id of SEEN) {
    const issue = await issueNamed(here, id);
    const host = here.model.issues.find((one) => one.id === id);
    const belongs = host !== undefined && meetsFilter(host, filter);
    if (belongs) expect(issue, id).not.to.equal(undefined);
    if (issue === undefined) continue;
    if (host === undefined) {
      if (lookedFor) expect(issue).to.include({ state: 'canceled', releaseId: null });
      continue;
    }
    const milestoneId = belongs ? host.milestoneId : null;
    const release = milestoneId === null ? undefined : await releaseOfMilestone(here, milestoneId);
    expect(issue, id).to.deep.include(issueContent(host, mapping, release?.id ?? null));
  }
  for (const { id, state } of here.model.milestones)
    if (state === 'open') expect(await releaseOfMilestone(here, id), id).not.to.equal(undefined);
};

describe('An import that is stopped', () => {
  it('at any page, in any way, reaches what it reaches undisturbed', async () => {
    const stops = fc.array(fc.tuple(stop, fc.integer({ min: 1, max: 5 })), { maxLength: 8, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fillings, stops, fc.integer({ min: 1, max: 4 }), async (filling, all, pageSize) => {
        const [smooth, rough] = [await scene(pageSize), await scene(pageSize)];
        for (const here of [smooth, rough]) fill(here.model, filling, smooth.time.now);
        await runs(smooth);
        for (const [how, n] of all) await stopped(rough, how, n);
        await runs(rough);
        await runs(rough);
        expect(await kept(rough)).to.deep.equal(await kept(smooth));
        expect(await rough.stores.deployments.recount()).to.deep.equal([]);
        expect((await rough.linked()).state).to.deep.include({ failure: null, startedAt: null });
      }),
      { numRuns: 40 },
    );
  });

  it('while the host changes, ends with what a plain reading of the host says', async () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('happening' as const), event: happening, within: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('stopped' as const), how: stop, n: fc.integer({ min: 1, max: 4 }) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('run' as const) }) },
    );
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fillings, steps, fc.integer({ min: 1, max: 4 }), async (filling, all, pageSize) => {
        const here = await scene(pageSize);
        const { model, time } = here;
        fill(model, filling, time.now);
        for (const each of all) {
          time.now += 1_000;
          if (each.kind === 'run') await runs(here);
          else if (each.kind === 'stopped') await stopped(here, each.how, each.n);
          else if (!each.within) happens(model, each.event, time.now, filling.remembers);
          else {
            // In the middle of a run, between two of its pages.
            let asked = 0;
            model.beforeAnswer = async () => {
              asked += 1;
              if (asked === 3) happens(model, each.event, time.now, filling.remembers);
            };
            await here.turn();
            model.beforeAnswer = async () => undefined;
          }
        }
        // A milestone that takes over a name gets it a run later than the one that left it.
        for (let run = 0; run < TITLES.length; run += 1) await runs(here);
        await readsLike(here, false);
        time.now += DAY;
        await runs(here);
        await readsLike(here, true);
        const { rows } = await here.stores.issues.page({ projectId: here.project.id }, { limit: 200, after: null });
        expect(new Set(rows.map(({ externalId }) => externalId)).size).to.equal(rows.length);
      }),
      { numRuns: 80 },
    );
  });
});
