import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { launchChecklist } from '../../../src/knex/migrations/launch-checklist.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { NOON, sampleId, sampleRelease } from '../../contract/sample-records.js';
import { dossierOf, storedProject } from '../../contract/sample-world.js';
import { places } from '../opened.js';
import { insert } from './older-data.js';

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
      const { facts } = await dossierOf(stores, release.id);
      expect(facts.ops).to.deep.include({ done: 1, total: 2, openItems: ['Rollback'] });
      await database.close();
      await remove();
    });
});
