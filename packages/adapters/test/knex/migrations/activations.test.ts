import type { ReleaseState, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { activations } from '../../../src/knex/migrations/activations.js';
import { sampleAuditEntry } from '../../contract/sample-access.js';
import { NOON } from '../../contract/sample-records.js';
import { storedProject, storedRelease, type World } from '../../contract/sample-world.js';
import { withNew } from '../opened.js';
import { takeAgain } from './older-data.js';

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
