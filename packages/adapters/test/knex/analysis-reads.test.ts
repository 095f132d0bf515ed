import { expect } from 'chai';
import { knexStores } from '../../src/knex/index.js';
import { NOON, SECOND } from '../contract/sample-records.js';
import { storedDeployment, storedIssue, storedProject, storedRelease } from '../contract/sample-world.js';
import { counted } from './counted.js';
import { withNew } from './opened.js';

const RELEASES = 6;

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`what an analysis reads, on ${kind}`, () => {
    it('is one statement for a page of events, and one each for any number of releases', () =>
      withNew(kind, async ({ database, stores }) => {
        const { project } = await storedProject(stores);
        const ids: string[] = [];
        for (let place = 0; place < RELEASES; place += 1) {
          const shippedAt = NOON + place * SECOND;
          const { id } = await storedRelease(stores, project.id, { state: 'shipped', startsAt: 0, shippedAt });
          const joined = { releaseId: id, at: NOON, kind: 'added', type: 'task' } as const;
          const issue = await storedIssue(stores, project.id, { releaseId: id });
          await stores.issues.replace({ ...issue, version: 2 }, [{ ...joined, issueId: issue.id }]);
          ids.push(id);
        }
        await storedDeployment(stores, project.id);
        const watched = counted(database);
        const { issues, deployments, releases } = knexStores(watched.database);
        const history = await issues.eventsOf(ids[0] ?? '', { limit: 1000, after: null });
        expect(history.rows).to.have.lengthOf(1);
        expect(watched.statements()).to.equal(1);
        const windows = ids.map(() => ({ from: NOON, to: null }));
        const firsts = await deployments.firstOf(project.id, ['production'], windows);
        expect(firsts.map(({ startedAt }) => startedAt)).to.deep.equal(ids.map(() => NOON));
        expect(watched.statements()).to.equal(2);
        expect(await releases.shippedBefore(project.id, NOON + RELEASES * SECOND, 5)).to.have.lengthOf(5);
        expect(watched.statements()).to.equal(3);
      }));
  });
