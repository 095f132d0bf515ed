import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { webhookHealth } from '../../../src/knex/migrations/webhooks.js';
import { NOON } from '../../contract/sample-records.js';
import { sampleWebhook } from '../../contract/sample-webhook.js';
import { storedProject } from '../../contract/sample-world.js';
import { places } from '../opened.js';
import { insert } from './older-data.js';

describe('the step for the health of webhooks', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`keeps on ${kind} the former secret of a webhook, which goes on in the state it has`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(webhookHealth)));
      const stores = knexStores(database);
      const { project } = await storedProject(stores);
      const webhook = sampleWebhook(project.id, { state: 'gone', formerSecrets: [{ sealed: 'former', until: NOON }] });
      const at = database.access.dialect.moment(NOON);
      await insert(database.access, 'webhooks', {
        id: webhook.id,
        project_id: project.id,
        url: webhook.url,
        types: JSON.stringify(webhook.types),
        state: webhook.state,
        secret: webhook.secret,
        former_secret: 'former',
        former_until: at,
        created_at: at,
        created_by: webhook.createdBy,
        version: webhook.version,
        served_at: at,
      });
      await migrate(database);
      await database.ready();
      expect(await stores.webhooks.byId(webhook.id)).to.deep.equal(webhook);
      await database.close();
      await remove();
    });
  }
});
