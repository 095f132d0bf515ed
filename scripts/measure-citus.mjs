// Measures what a Citus cluster costs when deployments are stored and facts of releases are read, compared with the
// same server without it, by turns. Needs a built checkout, and TEST_DATABASE_URL with the coordinator of a cluster;
// deploy/citus/cluster.sh starts one on this machine.
// Usage: node scripts/measure-citus.mjs [projects, 100] [turns, 15]
import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { testDatabase } from '@shipworthy/adapters/test-database';
import { NOON, sampleDeployment, sampleId } from '../packages/adapters/dist/test/contract/sample-records.js';
import { storedProject, storedRelease } from '../packages/adapters/dist/test/contract/sample-world.js';

const GROUP = 50;
const SPREAD = 10_000;
const [projects = 100, turns = 15] = process.argv.slice(2).map(Number);
if (!process.env.TEST_DATABASE_URL) throw new Error('Set TEST_DATABASE_URL to the coordinator of a cluster of Citus.');

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A database with projects, each with an open release. */
const subject = async (onCluster) => {
  if (onCluster) process.env.TEST_DATABASE_CITUS = 'yes';
  else delete process.env.TEST_DATABASE_CITUS;
  const { url, drop } = await testDatabase({});
  const database = await openDatabase({ url, waitMs: 60_000, statementMs: 60_000 });
  const stores = knexStores(database);
  const releases = [];
  for (let place = 0; place < projects; place += 1) {
    const { project } = await storedProject(stores);
    releases.push(await storedRelease(stores, project.id, { state: 'active', startsAt: NOON - 1 }));
  }
  const close = async () => {
    await database.close();
    await drop();
  };
  return { stores, database, releases, close };
};

const group = (releases) =>
  Array.from({ length: GROUP }, (_, place) => {
    const { projectId } = releases[place % releases.length];
    const deployment = sampleDeployment(projectId, { id: sampleId(), startedAt: NOON, external: null });
    return { kind: 'deployment', deployment, remember: null };
  });

const recorded = async ({ stores }, releases) => {
  const outcomes = await stores.reports.record(group(releases));
  if (outcomes.some(({ result }) => result !== 'created')) throw new Error(JSON.stringify(outcomes[0]));
};

const QUESTIONS = {
  [`${GROUP} deployments of one project, one transaction`]: (one) => recorded(one, one.releases.slice(0, 1)),
  [`${GROUP} deployments of ${GROUP} projects, one transaction`]: (one) => recorded(one, one.releases.slice(0, GROUP)),
  'one deployment, one transaction': async (one) => {
    await one.stores.reports.record(group(one.releases).slice(0, 1));
  },
  'facts of one release': (one) => one.stores.facts.factsFor([one.releases[0].id]),
  [`facts of ${projects} releases of as many projects`]: (one) =>
    one.stores.facts.factsFor(one.releases.map(({ id }) => id)),
};

const [plain, cluster] = [await subject(false), await subject(true)];
try {
  const took = Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, [[], []]]));
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, ask] of Object.entries(QUESTIONS))
      for (const [place, one] of [plain, cluster].entries()) {
        const begin = performance.now();
        await ask(one);
        // The first turn is not counted: it also plans the statements.
        if (turn > 0) took[name][place].push(performance.now() - begin);
      }
  console.log('| median, ms | one PostgreSQL | Citus, two workers | ratio |\n| --- | ---: | ---: | ---: |');
  for (const [name, [one, other]] of Object.entries(took)) {
    const [a, b] = [median(one), median(other)];
    console.log(`| ${name} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${(b / a).toFixed(1)} |`);
  }
  const rows = await cluster.database.access.read(
    `select nodeport, count(*) as projects from unnest(?::uuid[]) as v(id)
      join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('deployments', v.id) group by 1 order by 1`,
    [`{${Array.from({ length: SPREAD }, () => sampleId()).join(',')}}`],
  );
  console.log(`${SPREAD} projects lie on the workers so: ${rows.map(({ projects: count }) => count).join(', ')}`);
} finally {
  await plain.close();
  await cluster.close();
}
process.exit(0);
