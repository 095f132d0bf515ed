import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { origins } from '../../../src/knex/migrations/origins.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { linkColumns } from '../../../src/knex/repository-links.js';
import { sampleLink, sampleState } from '../../contract/sample-host.js';
import { unique } from '../../contract/sample-records.js';
import { storedProject, storedUser } from '../../contract/sample-world.js';
import { places } from '../opened.js';
import { insert } from './older-data.js';

describe('the step for origins', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`remembers on ${kind} the repositories that are linked by then, and none for others`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(origins)));
      const stores = knexStores(database);
      const [{ project }, { project: other }] = [await storedProject(stores), await storedProject(stores)];
      const { id: userId } = await storedUser(stores);
      const link = sampleLink({ projectId: project.id, userId, host: unique('host') });
      await insert(database.access, 'repository_links', {
        ...linkColumns(database.access, { link, state: sampleState(link.id) }),
      });
      await migrate(database);
      await database.ready();
      expect(await stores.repositoryLinks.lastOf(project.id)).to.deep.equal({
        host: link.host,
        repositoryId: link.repository.id,
      });
      expect(await stores.repositoryLinks.lastOf(other.id)).to.equal(undefined);
      await database.close();
      await remove();
    });
  }
});
