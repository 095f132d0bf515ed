import type { Deployment, ListOrder, PageKey, Stores } from '@shipworthy/domain';
import type { DeploymentFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { knexStores } from '../../src/knex/index.js';
import type { Access } from '../../src/knex/sql.js';
import { DAY, HOUR, MINUTE, NOON } from '../contract/sample-records.js';
import { storedDeployments, storedProject } from '../contract/sample-world.js';
import { withNew } from './opened.js';

const STATUSES = ['started', 'success', 'failure'] as const;

/** Deployments of five days, one about every forty minutes, in three environments; some hours hold none of a kind. */
const FIVE_DAYS = Array.from({ length: 180 }, (_, n) => ({
  startedAt: NOON - n * 41 * MINUTE,
  environment: n % 3 === 0 ? 'production' : n % 17 === 0 ? 'rare' : 'staging',
  status: STATUSES[n % 7 === 0 ? 0 : 1 + (n % 2)] ?? 'started',
}));

const FILTERS: readonly Omit<DeploymentFilter, 'projectId'>[] = [
  { environment: 'production' },
  { environment: 'rare' },
  { environment: 'never' },
  { status: 'started' },
  { environment: 'staging', status: 'failure' },
  { status: 'success', started: { from: NOON - 50 * HOUR - 7 * MINUTE, to: NOON - 20 * HOUR - 3 * MINUTE } },
  { environment: 'rare', started: { from: NOON - 70 * HOUR, to: null } },
];

const ORDERS = ['newest-first', 'oldest-first'] as const;

const walk = async (
  stores: Stores,
  filter: DeploymentFilter,
  limit: number,
  order: ListOrder,
): Promise<readonly string[]> => {
  const rows: Deployment[] = [];
  let after: PageKey | null = null;
  do {
    const page = await stores.deployments.page(filter, { limit, after }, order);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows.map(({ id }) => id);
};

/** In that order, given newest first. */
const inOrder = <Row>(rows: readonly Row[], order: ListOrder): readonly Row[] =>
  order === 'newest-first' ? rows : rows.toReversed();

const meets = ({ environment, status, started }: Omit<DeploymentFilter, 'projectId'>, one: Deployment): boolean =>
  (environment === undefined || one.environment === environment) &&
  (status === undefined || one.status === status) &&
  (started === undefined || (one.startedAt >= started.from && (started.to === null || one.startedAt < started.to)));

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`deployments of an environment or status on ${kind}`, () => {
    it('are found page by page in all hours that hold them, and no others are found', () =>
      withNew(kind, async ({ stores }) => {
        const { project } = await storedProject(stores);
        const stored = await storedDeployments(stores, project.id, FIVE_DAYS);
        for (const filter of FILTERS) {
          const expected = stored.filter((one) => meets(filter, one)).map(({ id }) => id);
          for (const order of ORDERS)
            for (const limit of [3, 200]) {
              const found = await walk(stores, { projectId: project.id, ...filter }, limit, order);
              expect(found, `${JSON.stringify(filter)}, ${order}`).to.deep.equal(inOrder(expected, order));
            }
        }
      }));

    for (const order of ORDERS)
      it(`are a whole page ${order} even when the counts name hours that hold fewer rows by then`, () =>
        withNew(kind, async ({ stores, database }) => {
          const { project } = await storedProject(stores);
          const stored = await storedDeployments(stores, project.id, FIVE_DAYS);
          const middle = NOON - 60 * HOUR;
          const isFirst = (startedAt: number) => (order === 'newest-first' ? startedAt > middle : startedAt <= middle);
          // As if the first ones had been finished between the two looks.
          await database.access.write(
            `update deployments set status = 'success' where status = 'started' and started_at ${order === 'newest-first' ? '>' : '<='} ?`,
            [database.access.dialect.moment(middle)],
          );
          const expected = stored.filter((one) => one.status === 'started' && !isFirst(one.startedAt));
          const found = await walk(stores, { projectId: project.id, status: 'started' }, 3, order);
          expect(found).to.deep.equal(inOrder(expected, order).map(({ id }) => id));
        }));

    for (const order of ORDERS)
      it(`are a whole page ${order} even then where the first day has none in the filter`, () =>
        withNew(kind, async ({ stores, database }) => {
          const { project } = await storedProject(stores);
          const days = Array.from({ length: 8 }, (_, n) => ({
            startedAt: NOON - n * 24 * HOUR,
            status: 'started' as const,
          }));
          const stored = await storedDeployments(stores, project.id, days);
          const [, ...others] = inOrder(stored, order);
          const started = { from: NOON - 7 * 24 * HOUR + 2 * HOUR, to: NOON - 2 * HOUR };
          const filter = { projectId: project.id, status: 'started', started } as const;
          // As many days as are looked at for a page of one row, but for the first.
          for (const { id } of others.slice(0, 3))
            await database.access.write(`update deployments set status = 'success' where id = ?`, [id]);
          const expected = others.slice(3, -1).map(({ id }) => id);
          expect(expected).to.have.length(3);
          expect(await walk(stores, filter, 1, order)).to.deep.equal(expected);
        }));

    for (const order of ORDERS)
      it(`are found ${order} without a search through all where older ones were removed and one of them came again`, () =>
        withNew(kind, async ({ stores, database }) => {
          const { project } = await storedProject(stores);
          const edge = NOON - (NOON % DAY) - DAY;
          const often = { environment: 'production' };
          const rare = (startedAt: number) => ({ startedAt, environment: 'rare' });
          await storedDeployments(stores, project.id, [
            ...Array.from({ length: 40 }, (_, n) => rare(edge - 1 - n * HOUR)),
            ...Array.from({ length: 20 }, (_, n) => ({ startedAt: edge + n * MINUTE, ...often })),
          ]);
          let from: string | null = null;
          do from = (await stores.keptRecords.removeBefore(edge, from)).next;
          while (from !== null);
          const kept = await storedDeployments(stores, project.id, [rare(NOON), rare(edge + HOUR), rare(edge - HOUR)]);
          const sent: string[] = [];
          const read: Access['read'] = (sql, ...rest) => {
            sent.push(sql);
            return database.access.read(sql, ...rest);
          };
          const watched = knexStores({ ...database, access: { ...database.access, read } });
          const { id: projectId } = project;
          const found = await walk(watched, { projectId, environment: 'rare' }, 2, order);
          expect(found).to.deep.equal(inOrder(kept, order).map(({ id }) => id));
          // Only the search through all is put together by the builder, which quotes names.
          const searchesAll = () => sent.some((sql) => /from .deployments. as .d. where/.test(sql));
          expect(searchesAll()).to.equal(false);
          await walk(watched, { projectId }, 2, order);
          expect(searchesAll()).to.equal(true);
        }));
  });
