import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { snapshots } from '../../../src/knex/migrations/history.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { MINUTE, NOON, sampleId } from '../../contract/sample-records.js';
import { samplePoint, sampleRecorded } from '../../contract/sample-report.js';
import { places } from '../opened.js';
import { insert, type StoredColumns } from './older-data.js';

const before = SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(snapshots));

/** A release with a point of its trend, as the steps before know them. */
const older = (moment: (at: number) => string | number) => {
  const [team, project, release] = [sampleId(), sampleId(), sampleId()];
  const at = moment(NOON);
  const { score, coverage, decision, axes, causes, causeCount } = samplePoint(release, NOON);
  const trend = { score, coverage, decision, axes: JSON.stringify(axes), causes: JSON.stringify(causes) };
  const rows: readonly (readonly [string, StoredColumns])[] = [
    ['teams', { id: team, name: 'Payments', slug: 'payments', version: 1, created_at: at }],
    [
      'projects',
      { id: project, team_id: team, name: 'pay', slug: 'pay', version: 1, created_at: at, policy_version: 1 },
    ],
    ['policies', { project_id: project, version: 1, policy: '{}', verification: 'latest_run', changed_at: at }],
    ['releases', { id: release, project_id: project, name: '1.0', state: 'planned', version: 1, created_at: at }],
    [
      'release_marks',
      { release_id: release, project_id: project, revision: 1, changed_at: at, dirty: 1, ...NO_CAUSES },
    ],
    ['history_points', { release_id: release, second: NOON / 1000, at, ...trend, cause_count: causeCount }],
  ];
  return { rows, project, release };
};

const NO_CAUSES = { cause_count: 0, causes: '', claimed_count: 0, claimed_causes: '' };

describe('the step for snapshots', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`leaves on ${kind} the points that are there without one, and lets the next ones have it`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, before);
      const { rows, project, release } = older(database.access.dialect.moment);
      for (const [table, columns] of rows) await insert(database.access, table, columns);
      await migrate(database);
      await database.ready();

      const { history, policies } = knexStores(database);
      const point = samplePoint(release, NOON);
      expect(await history.latest([release])).to.deep.equal([point]);
      expect(await history.pointAt(release, NOON)).to.deep.equal(point);
      const policy = await policies.current(project);
      if (policy === undefined) throw new Error('the project was expected to have a policy');
      const next = sampleRecorded(release, NOON + MINUTE, policy);
      const [dirty] = await history.claim(NOON + MINUTE, 1, MINUTE);
      if (dirty === undefined) throw new Error('the release was expected to be dirty');
      await history.settle(dirty, [next], null);
      expect(await history.latest([release])).to.deep.equal([next]);
      await database.close();
      await remove();
    });
  }
});
