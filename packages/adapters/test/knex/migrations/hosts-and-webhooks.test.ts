import { expect } from 'chai';
import { knexStores, migrate, openDatabase } from '../../../src/knex/index.js';
import { origins, repositories, webhookHealth } from '../../../src/knex/migrations/hosts-and-webhooks.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import { linkColumns } from '../../../src/knex/repository-links.js';
import { sampleLink, sampleState, storedConnection, storedLink } from '../../contract/sample-host.js';
import { MINUTE, NOON, sampleId, sampleIssue, sampleRelease, unique } from '../../contract/sample-records.js';
import { sampleWebhook } from '../../contract/sample-webhook.js';
import { inputsOf, storedProject, storedUser } from '../../contract/sample-world.js';
import { places } from '../opened.js';
import { insert, type StoredColumns } from './older-data.js';

const before = SCHEMA_STEPS.slice(0, SCHEMA_STEPS.indexOf(repositories));

/** Rows as the steps before know them. */
const older = (moment: (at: number) => string | number) => {
  const [user, team, project] = [sampleId(), sampleId(), sampleId()];
  const release = sampleRelease(project, { state: 'active', startsAt: NOON });
  const issues = [0, 1].map((turn) => sampleIssue(project, { releaseId: release.id, createdAt: NOON - turn }));
  const at = moment(NOON);
  const rows: readonly (readonly [string, StoredColumns])[] = [
    [
      'users',
      {
        id: user,
        email: 'ada@example.org',
        email_key: 'ada@example.org',
        name: 'Ada',
        administrator: 0,
        password_hash: 'hash',
        created_at: at,
      },
    ],
    ['teams', { id: team, name: 'Payments', slug: 'payments', version: 1, created_at: at }],
    [
      'projects',
      { id: project, team_id: team, name: 'pay', slug: 'pay', version: 1, created_at: at, policy_version: 1 },
    ],
    ['policies', { project_id: project, version: 1, policy: '{}', verification: 'latest_run', changed_at: at }],
    [
      'releases',
      {
        id: release.id,
        project_id: project,
        name: release.name,
        state: release.state,
        starts_at: at,
        version: 1,
        created_at: at,
      },
    ],
    [
      'release_marks',
      {
        release_id: release.id,
        project_id: project,
        revision: 7,
        changed_at: at,
        dirty: 0,
        cause_count: 0,
        causes: '',
        claimed_count: 0,
        claimed_causes: '',
      },
    ],
    ...issues.map((issue): readonly [string, StoredColumns] => [
      'issues',
      {
        id: issue.id,
        project_id: project,
        release_id: release.id,
        title: issue.title,
        type: issue.type,
        state: issue.state,
        version: 1,
        created_at: moment(issue.createdAt),
        updated_at: moment(issue.updatedAt),
        open: 1,
      },
    ]),
    ...issues.map(({ id }): readonly [string, StoredColumns] => [
      'issue_events',
      { issue_id: id, release_id: release.id, at, kind: 'added', type: 'feature' },
    ]),
  ];
  return { rows, release, issues };
};

describe('the step for repositories', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`leaves on ${kind} what is stored as it is, with a name at no host, and lets it be given one`, async () => {
      const { url, remove } = await places[kind]();
      const database = await openDatabase({ url });
      await takeSteps(database.access, before);
      const { rows, release, issues } = older(database.access.dialect.moment);
      for (const [table, columns] of rows) await insert(database.access, table, columns);
      await migrate(database);
      await database.ready();

      const stores = knexStores(database);
      expect(await stores.releases.byId(release.id)).to.deep.equal(release);
      const page = { limit: 10, after: null };
      expect((await stores.issues.page({ projectId: release.projectId }, page)).rows).to.deep.equal(issues);
      const inputs = await inputsOf(stores, release.id);
      expect(inputs.facts.scope.total).to.equal(2);
      expect(inputs.revision.revision).to.equal(7);

      const [issue] = issues;
      if (issue === undefined) throw new Error('two issues expected');
      const named = { ...issue, externalId: 'host:1', version: 2, updatedAt: NOON + MINUTE };
      await stores.issues.import([{ before: issue, issue: named, events: [], wholeHistory: true }]);
      expect(await stores.issues.byExternalIds(release.projectId, ['host:1'])).to.deep.equal([named]);
      const events = await database.access.read('select issue_id from issue_events');
      expect(events).to.deep.equal([{ issue_id: issues[1]?.id }]);
      const linked = await storedLink(stores, await storedConnection(stores));
      expect(await stores.repositoryLinks.ofProject(linked.link.projectId)).to.deep.equal(linked);
      await database.close();
      await remove();
    });
  }
});

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
