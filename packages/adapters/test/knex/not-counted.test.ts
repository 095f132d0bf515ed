import { expect } from 'chai';
import { knexStores } from '../../src/knex/index.js';
import { spansToSearch } from '../../src/knex/not-counted-sql.js';
import { DAY, HOUR, NOON } from '../contract/sample-records.js';
import { storedActiveRelease, storedDeployments } from '../contract/sample-world.js';
import { counted } from './counted.js';
import { withNew } from './opened.js';

const BEGIN = NOON - 40 * DAY;
const PAGE = { limit: 50, after: null };

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`the spans of what is not counted, on ${kind}`, () => {
    it('are the hours that hold such deployments, and what lies outside of windows', () =>
      withNew(kind, async ({ stores, database }) => {
        const { project } = await storedActiveRelease(stores, { startsAt: BEGIN });
        const hourly = Array.from({ length: 960 }, (_, hour) => ({ startedAt: BEGIN + hour * HOUR }));
        await storedDeployments(
          stores,
          project.id,
          hourly.map((at) => ({ ...at, status: 'success' })),
        );
        await storedDeployments(stores, project.id, [{ startedAt: NOON - 9 * HOUR }, { startedAt: NOON - 8 * HOUR }]);
        const spans = await spansToSearch(database.access, project.id, null, PAGE);
        const [inWindow, before] = spans;
        expect(inWindow).to.deep.equal({ from: NOON - 9 * HOUR, to: NOON - 7 * HOUR, allUncounted: false });
        expect(before).to.include({ to: BEGIN, allUncounted: true });
        expect(spans).to.have.lengthOf(2);
      }));

    it('cost a page the same few statements however much is counted', () =>
      withNew(kind, async ({ stores, database }) => {
        const { project } = await storedActiveRelease(stores, { startsAt: BEGIN });
        const watched = counted(database);
        const { deployments } = knexStores(watched.database);
        const statements = async () => {
          const before = watched.statements();
          await deployments.notCounted(project.id, ['production'], PAGE);
          return watched.statements() - before;
        };
        const few = await statements();
        await storedDeployments(
          stores,
          project.id,
          Array.from({ length: 500 }, (_, hour) => ({ startedAt: BEGIN + hour * HOUR, environment: 'staging' })),
        );
        expect([few, await statements()]).to.deep.equal([5, 5]);
      }));
  });
