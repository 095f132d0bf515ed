import { uuidv7 } from '@shipworthy/adapters/crypto';
import { type Database, knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import type { Stores } from '@shipworthy/domain';
import pg from 'pg';
import { countWords } from '../page/table.js';
import type { Crowded, QuestionInput } from './questions.js';

/**
 * The least number of rows for which an index pays: with 10,000 the deployments have 240 pages, and PostgreSQL rightly reads
 * all of them for a group of 100 changes.
 */
export const LEAST_ROWS = 40_000;

/** From how many pages on a table is big, in a database filled with so many deployments. */
const bigFor = (rows: number): number => Math.max(100, Math.min(1_000, rows / 10_000));
const STATEMENT_MS = 600_000;

/** A filled database, with the ids that questions ask for. */
export interface CrowdedPlace {
  readonly database: Database;
  readonly place: QuestionInput;
  /** Tables of 100 pages or more (1,000 among ten million rows); PostgreSQL reads a smaller one from end to end. */
  readonly big: ReadonlySet<string>;
}

/** Fills the empty database at the url and opens it; the caller closes it. */
export const crowdedPlace = async (
  url: string,
  rows: number,
  say: (what: string) => void = () => undefined,
): Promise<CrowdedPlace> => {
  const database = await openDatabase({ url, statementMs: STATEMENT_MS });
  await migrate(database);
  const crowded = await storeCrowdedProject(knexStores(database), Date.now());
  await fillDatabase(url, crowded, rows, say);
  const { access } = database;
  const ids = async (sql: string): Promise<readonly string[]> =>
    (await access.read<{ id: string }>(sql)).map(({ id }) => id);
  const newest = (table: string): string =>
    `select id from ${table} where project_id = '${crowded.projectId}' order by id desc limit 100`;
  const tables = await access.read<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages >= ${bigFor(rows)}`,
  );
  const place = {
    ...crowded,
    now: Date.now(),
    projectIds: await ids('select id from projects limit 1000'),
    releaseIds: await ids(
      `select id from (select id, state from releases where state = 'shipped' union all (select id, state from releases where state = 'active' limit 900)) r order by state, id desc`,
    ),
    deploymentIds: await ids(newest('deployments')),
    testRunIds: await ids(newest('test_runs')),
    issueIds: await ids(newest('issues')),
  };
  return { database, place, big: new Set(tables.map(({ name }) => name)) };
};

const DAY = 86_400_000;

const newId = uuidv7(Date.now);

/** Stores a team with a project, its active release of the last 90 days and a webhook, before all other records. */
const storeCrowdedProject = async (stores: Stores, now: number): Promise<Crowded & { readonly userId: string }> => {
  const [userId, teamId, projectId, releaseId, webhookId] = [newId(), newId(), newId(), newId(), newId()];
  const createdAt = now - 1_000 * DAY;
  const user = {
    id: userId,
    email: 'ada@example.org',
    name: 'Ada',
    emailVerified: true,
    administrator: true,
    disabledAt: null,
    createdAt,
  };
  await stores.users.create(user, 'hash');
  await stores.teams.create(
    { id: teamId, name: 'Payments', slug: 'payments', version: 1, createdAt, demo: false },
    { teamId, userId, role: 'owner', createdAt },
  );
  await stores.projects.create({ id: projectId, teamId, name: 'checkout', slug: 'checkout', version: 1, createdAt });
  await stores.releases.create(
    {
      id: releaseId,
      projectId,
      name: 'Spring',
      state: 'active',
      // In the middle of an hour, so that the window's edge falls on no bucket.
      startsAt: Math.floor(now / DAY) * DAY - 90 * DAY + 37 * 60_000,
      targetAt: null,
      shippedAt: null,
      canceledAt: null,
      externalId: null,
      note: null,
      version: 1,
      createdAt: now - 90 * DAY,
    },
    [],
  );
  await stores.webhooks.create({
    id: webhookId,
    projectId,
    url: 'https://hooks.example.org/',
    types: ['gate.changed'],
    state: 'enabled',
    secret: 'sealed',
    disabled: null,
    failingSince: null,
    formerSecrets: [],
    createdAt,
    createdBy: 'Ada',
    version: 1,
  });
  return { userId, teamId, projectId, releaseId, webhookId };
};

/**
 * Makes an id of that moment, as the service does: a random one of version 4, its first 48 bits replaced by the milliseconds and its
 * version by 7. PostgreSQL has such ids of its own from 18 on only.
 */
const NEW_ID = `create function pg_temp.new_id(at timestamptz) returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$`;

/** Projects beside the crowded one, each with an active release: one for every thousand records. */
const othersFor = (rows: number): number => Math.max(999, Math.floor(rows / 1_000));
/** Shipped releases of the crowded project. */
const SHIPPED = 40;
const DAYS = 1_000;
const CHUNK = 500_000;

const others = ({ projectId, releaseId }: Crowded, count: number): readonly string[] => [
  `create temp table others as select i, pg_temp.new_id(now() - interval '1000 days') as project_id, pg_temp.new_id(now() - interval '900 days') as release_id
    from generate_series(1, ${count}) i`,
  `insert into projects (id, team_id, name, slug, version, created_at, policy_version)
    select o.project_id, p.team_id, 'service ' || o.i, 'service-' || o.i, 1, p.created_at, 1
    from others o, projects p where p.id = '${projectId}'`,
  `insert into policies (project_id, version, policy, environments, verification, changed_at, changed_by)
    select o.project_id, 1, c.policy, c.environments, c.verification, c.changed_at, c.changed_by
    from others o, policies c where c.project_id = '${projectId}' and c.version = 1`,
  `create temp table given as select i, pg_temp.new_id(now() + (i * ${DAYS / SHIPPED} - ${DAYS}) * interval '1 day') as release_id,
      now() + (i * ${DAYS / SHIPPED} - ${DAYS + 25}) * interval '1 day' as starts_at from generate_series(1, ${SHIPPED}) i`,
  `insert into releases (id, project_id, name, state, starts_at, shipped_at, version, created_at)
    select release_id, '${projectId}', 'past ' || i, 'shipped', starts_at, starts_at + interval '20 days', 1, starts_at from given
    union all select release_id, project_id, 'current', 'active', now() - interval '30 days', null, 1, now() - interval '30 days' from others`,
  `insert into release_marks (release_id, project_id, revision, changed_at, dirty, cause_count, causes, claimed_count, claimed_causes)
    select r.id, r.project_id, 1, r.created_at, 0, 0, '', 0, '' from releases r where r.id <> '${releaseId}'`,
  `create temp table places as select 0 as place, '${releaseId}'::uuid as release_id
    union all select i, release_id from given`,
];

/** Every second record is the crowded project's, the others' come in turns; `n` counts all, evenly over the days. */
const moments = (
  from: number,
  to: number,
  all: number,
  records = all,
): string => `(select n, case when n % 2 = 0 then 0 else 1 + (n / 2) % ${othersFor(records)} end as owner,
    now() - interval '2 minutes' - (${all} - n) * (interval '${DAYS} days' / ${all}::double precision) as at
    from generate_series(${from}::bigint, ${to}::bigint) n) m`;

const deployments = ({ projectId }: Crowded, from: number, to: number, all: number): string => `
  insert into deployments (id, project_id, app_name, environment, commit_sha, version, deployed_by, status, started_at,
    finished_at, duration_seconds, created_at, external_id, external_fingerprint)
  select pg_temp.new_id(m.at), coalesce(o.project_id, '${projectId}'), 'checkout',
    case when (n / 2) % 10 < 6 then 'production' when (n / 2) % 10 < 9 then 'staging' when (n / 2) % 5000 = 9 then 'rare' else 'preview' end,
    md5(n::text) || '00000000', null, 'ci',
    case when n % 1994 = 0 then 'started' when n % 50 < 2 then 'failure' else 'success' end, m.at,
    case when n % 1994 = 0 then null else m.at + interval '90 seconds' end, 90, m.at,
    case when n % 20 = 0 then 'run:' || n end, case when n % 20 = 0 then md5(n::text) end
  from ${moments(from, to, all)} left join others o on o.i = m.owner`;

const counts = (hours: number): string => `
  insert into deployment_counts (project_id, hours, bucket, environment, started, success, failure)
  select project_id, ${hours}, floor(extract(epoch from started_at) / (${hours} * 3600)), environment,
    count(*) filter (where status = 'started'), count(*) filter (where status = 'success'),
    count(*) filter (where status = 'failure')
  from deployments group by 1, 3, 4`;

/** A run between two windows goes to the release that ships next: hardly any run comes after its release shipped. */
const testRuns = ({ projectId }: Crowded, from: number, to: number, all: number): string => `
  insert into test_runs (id, project_id, release_id, suite, total, passed, failed, commit_sha, ran_at, recorded_at, recorded_by,
    external_id, external_fingerprint)
  select pg_temp.new_id(m.at), coalesce(o.project_id, '${projectId}'), coalesce(o.release_id, p.release_id),
    case when (n / 2) % 4 = 0 then null else 'suite ' || (n / 2) % 4 end, 100, 100 - n % 3, n % 3, md5(n::text) || '00000000', m.at, m.at, 'ci',
    case when n % 20 = 0 then 'run:' || n end, case when n % 20 = 0 then md5(n::text) end
  from ${moments(from, to, all)} left join others o on o.i = m.owner
    left join places p on p.place = case when m.at > now() - interval '90 days' then 0
      else least(${SHIPPED}, 1 + (extract(epoch from m.at - now()) / 86400 + ${DAYS} + 5)::integer / ${DAYS / SHIPPED}) end`;

const rest = (
  { teamId, projectId, releaseId, webhookId }: Crowded,
  all: number,
  twentieth = Math.ceil(all / 20),
): readonly string[] => [
  `insert into latest_test_runs (release_id, suite, test_run_id, ran_at, recorded_at, total, passed, commit_sha)
    select distinct on (release_id, coalesce(suite, '')) release_id, coalesce(suite, ''), id, ran_at, recorded_at, total, passed,
      commit_sha from test_runs order by release_id, coalesce(suite, ''), ran_at desc, recorded_at desc, id desc`,
  `insert into issues (id, project_id, release_id, title, type, state, severity, version, created_at, updated_at, open, external_id)
    select pg_temp.new_id(m.at), coalesce(o.project_id, '${projectId}'),
      case when n % 8 = 1 then null else coalesce(o.release_id, p.release_id) end, 'Pay by invoice',
      case when n % 5 = 0 then 'bug' else 'feature' end, case when n % 17 = 0 then 'todo' else 'done' end,
      case when n % 10 = 0 then 'minor' end, 1, m.at, m.at, case when n % 17 = 0 then 1 else 0 end,
      case when n % 3 = 0 then 'issue:' || n end
    from ${moments(1, twentieth, twentieth, all)} left join others o on o.i = m.owner
      left join places p on p.place = n % ${SHIPPED + 1}`,
  `insert into issue_events (issue_id, release_id, at, kind, type)
    select id, release_id, created_at, 'added', type from issues where release_id is not null`,
  `insert into history_points (release_id, second, at, score, coverage, decision, axes, causes, cause_count)
    select p.release_id, extract(epoch from now())::bigint - n * 60, now() - n * interval '1 minute', 80, 1, 'go',
      '[{"axis":"scope","score":80}]', '[]', 1
    from places p, generate_series(1, ${Math.ceil(all / 4_000)}) n`,
  `insert into release_moves (release_id, revision, turn, size, moves)
    select p.release_id, n, 0, 1, '[["deployment","${projectId}",1700000000000,"began","stability"]]'
    from places p, generate_series(1, ${Math.ceil(all / 400)}) n`,
  `insert into unmoved_revisions (release_id, second, at, revision)
    select p.release_id, extract(epoch from now())::bigint - n * 60, now() - n * interval '1 minute', n
    from places p, generate_series(1, ${Math.ceil(all / 4_000)}) n`,
  `update release_marks set revision = ${Math.ceil(all / 400) + 1}, dirty = 0 where release_id = '${releaseId}'`,
  `update release_marks set dirty = 1 where release_id in (select release_id from others where i <= 5)`,
  `insert into idempotency (id, fingerprint, at, status, body)
    select encode(sha256(n::text::bytea), 'base64'), md5(n::text), now() - n * (interval '8 days' / ${Math.ceil(all / 4)}::double precision),
      201, repeat('x', 400) from generate_series(1, ${Math.ceil(all / 4)}) n`,
  `create temp table hooks as select i, pg_temp.new_id(now()) as id, project_id from others where i <= 50`,
  `insert into webhooks (id, project_id, url, types, state, secret, created_at, created_by, version, served_at)
    select h.id, h.project_id, w.url, w.types, w.state, w.secret, w.created_at, w.created_by, 1, w.served_at
    from hooks h, webhooks w where w.id = '${webhookId}'`,
  `insert into webhook_deliveries (webhook_id, id, type, body, at, state, tries, next_at, attempts)
    select coalesce(h.id, '${webhookId}'), pg_temp.new_id(m.at), 'gate.changed', repeat('x', 200), m.at,
      case when ${twentieth} - n < 40 then 'pending' else 'delivered' end, 1,
      case when ${twentieth} - n < 40 then now() - interval '1 minute' end, '[]'
    from ${moments(1, twentieth, twentieth, all)} left join hooks h on h.i = m.owner`,
  `insert into audit (id, team_id, at, actor_id, actor_name, actor_kind, action, resource_type, resource_id, address, request_id, detail)
    select pg_temp.new_id(m.at), case when n % 3 = 0 then null else '${teamId}'::uuid end, m.at, 'x', 'Ada', 'session', 'issue.edit',
      'issue', 'x', '127.0.0.1', 'x', '{}' from ${moments(1, twentieth, twentieth, all)}`,
];

/**
 * Fills the database with `rows` deployments, as many test runs, a twentieth as many issues and so on, of which every
 * second one is the crowded project's; then updates the statistics. Needs a superuser.
 */
const fillDatabase = async (
  connectionString: string,
  crowded: Crowded,
  rows: number,
  say: (what: string) => void,
): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // Turns off checks of foreign keys: the generated references are right, and checking them takes time.
    await client.query('set session_replication_role = replica');
    await client.query(NEW_ID);
    for (const statement of others(crowded, othersFor(rows))) await client.query(statement);
    await client.query('analyze others, given, places');
    for (let from = 1; from <= rows; from += CHUNK) {
      const to = Math.min(rows, from + CHUNK - 1);
      await client.query(deployments(crowded, from, to, rows));
      await client.query(testRuns(crowded, from, to, rows));
      say(`${countWords(to)} deployments and test runs`);
    }
    for (const hours of [1, 24]) await client.query(counts(hours));
    for (const statement of rest(crowded, rows)) await client.query(statement);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
};
