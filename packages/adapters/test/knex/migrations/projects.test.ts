import type { ReleaseState, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { activations, launchChecklist } from '../../../src/knex/migrations/projects.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { sampleAuditEntry } from '../../contract/sample-access.js';
import { NOON, sampleId, sampleRelease } from '../../contract/sample-records.js';
import { inputsOf, storedProject, storedRelease, type World } from '../../contract/sample-world.js';
import { places, withNew } from '../opened.js';
import { insert, takeAgain } from './older-data.js';

const told = async (stores: Stores, { team, owner }: World, releaseId: string, action: string, at: number) => {
  const resource = { type: 'release', id: releaseId } as const;
  await stores.audit.append(sampleAuditEntry(team.id, owner.id, { action, resource, at }));
};

describe('the step for activations', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`takes those of before from the audit log, else from the windows, on ${kind}`, () =>
      withNew(kind, async ({ stores, database }) => {
        const world = await storedProject(stores);
        const projectId = world.project.id;
        const closed = (state: ReleaseState, startsAt: number, end: number) =>
          storedRelease(stores, projectId, {
            state,
            startsAt,
            ...(state === 'shipped' ? { shippedAt: end } : { canceledAt: end }),
          });
        const untold = await closed('shipped', NOON - 10, NOON);
        const parked = await closed('shipped', NOON, NOON + 90);
        const canceled = await closed('canceled', NOON, NOON + 20);
        const active = await storedRelease(stores, projectId, { state: 'active', startsAt: NOON });
        await told(stores, world, parked.id, 'release.activate', NOON + 1);
        await told(stores, world, parked.id, 'release.park', NOON + 10);
        await told(stores, world, canceled.id, 'release.activate', NOON + 10);
        await told(stores, world, canceled.id, 'release.cancel', NOON + 20);
        await told(stores, world, parked.id, 'release.activate', NOON + 30);
        await told(stores, world, parked.id, 'release.ship', NOON + 90);
        await told(stores, world, active.id, 'release.activate', NOON + 95);
        await database.access.write('drop table release_activations');
        await takeAgain(database, activations);
        const moments = [-10, -1, 0, 1, 9, 10, 19, 20, 30, 89, 90, 95].map((at) => NOON + at);
        const targets = await stores.testRuns.targets(
          moments.map((at) => ({ projectId, releaseId: null, suite: null, at })),
        );
        const { id: present } = active;
        expect(targets.map((target) => target?.release?.id)).to.deep.equal([
          ...[untold.id, untold.id, present, parked.id, parked.id, canceled.id, canceled.id],
          ...[present, parked.id, parked.id, present, present],
        ]);
      }));
});

const ITEMS = [
  ['docs', 'Handbook', 'done'],
  ['feature_flag', 'Feature flag', 'not_applicable'],
  ['rollback', 'Rollback', 'open'],
  ['pen_test', 'Pen test', 'not_applicable'],
] as const;

describe('the step for the launch checklist', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`leaves the marks on ${kind} as they were, and knows the items every release began with`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      const { access } = database;
      await takeSteps(access, SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(launchChecklist)));
      const stores = knexStores(database);
      const { project } = await storedProject(stores);
      const release = sampleRelease(project.id);
      await stores.releases.create(release, []);
      for (const [position, [key, title, state]] of ITEMS.entries())
        await insert(access, 'checklist_items', {
          id: sampleId(),
          release_id: release.id,
          key,
          title,
          state,
          position,
          version: 3,
          updated_at: access.dialect.moment(NOON),
          updated_by: 'Eve',
        });
      await migrate(database);
      const items = await stores.checklists.ofRelease(release.id);
      const early = { reason: null, markedBy: null, markedAt: null, confirmedBy: null, confirmedAt: NOON };
      expect(items.map(({ origin, mark, removal }) => [origin, mark, removal])).to.deep.equal([
        ['template', null, null],
        ['template', early, null],
        ['template', null, null],
        ['added', early, null],
      ]);
      const { facts } = await inputsOf(stores, release.id);
      expect(facts.ops).to.deep.include({ done: 1, total: 2, openItems: ['Rollback'] });
      await database.close();
      await remove();
    });
});
