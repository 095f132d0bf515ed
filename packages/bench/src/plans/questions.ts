import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Deployment, Page, PageKey, PageRequest, Remembered, StoresWithFeed, TestRun } from '@shipworthy/domain';

const DAY = 86_400_000;
const LIMIT = 50;

/** A query that is sent to a crowded database. */
export interface Question {
  readonly title: string;
  readonly ask: (stores: StoresWithFeed, place: QuestionInput) => Promise<unknown>;
  /** How many rows the question may look at (and touch pages for) beyond what any question may, and why it must. */
  readonly allowed?: { readonly rows: number; readonly because: string };
}

/** The project whose records everything asks for, beside many others. */
export interface Crowded {
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly webhookId: string;
}

/** Where and when a question is asked, with ids that are in the database. */
export interface QuestionInput extends Crowded {
  readonly now: number;
  readonly projectIds: readonly string[];
  readonly releaseIds: readonly string[];
  readonly deploymentIds: readonly string[];
  readonly testRunIds: readonly string[];
  readonly issueIds: readonly string[];
}

const FIRST: PageRequest = { limit: LIMIT, after: null };

/** The first page, and one in the middle of the list. */
const pages = async (list: (page: PageRequest) => Promise<Page<unknown>>, middle: PageKey): Promise<void> => {
  await list(FIRST);
  await list({ limit: LIMIT, after: middle });
};

/** Rows of the fifty hours a page's deployments are in, and the kept counts of their days. */
const HOURS = 20_000;
const OF_HOURS = 'deployments of the hours that hold one at least, and the kept counts of their days';
/** Counts by day and issues of one release: they are read anew whenever it changed. */
const WINDOW = 8_000;
const OF_WINDOW = 'the counts of a window by day and environment, and the issues of the release';

const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
const halfway = (now: number): number => now - 500 * DAY;

const deploymentLists = (['production', 'preview'] as const).flatMap((environment): Question[] => [
  {
    title: `deployments in ${environment}`,
    ask: ({ deployments }, { projectId, now }) =>
      pages((page) => deployments.page({ projectId, environment }, page), [halfway(now), LAST_ID]),
    allowed: { rows: HOURS, because: OF_HOURS },
  },
  {
    title: `failed deployments in ${environment}`,
    ask: ({ deployments }, { projectId, now }) =>
      pages((page) => deployments.page({ projectId, environment, status: 'failure' }, page), [halfway(now), LAST_ID]),
    allowed: { rows: HOURS, because: OF_HOURS },
  },
]);

/** Reading: the score, its lists, what did not count, histories and the portfolio. */
export const READING: readonly Question[] = [
  {
    title: 'facts of a release',
    ask: ({ facts }, { releaseId }) => facts.factsFor([releaseId]),
    allowed: { rows: WINDOW, because: OF_WINDOW },
  },
  {
    title: 'facts of a release under other rules',
    ask: ({ facts }, { releaseId }) =>
      facts.factsUnder([releaseId], { environments: ['production'], verification: 'latest_per_suite' }),
    allowed: { rows: WINDOW, because: OF_WINDOW },
  },
  {
    title: 'facts of a shipped release',
    ask: ({ facts }, { releaseIds }) => facts.factsFor(releaseIds.slice(-1)),
    allowed: { rows: WINDOW, because: OF_WINDOW },
  },
  {
    title: 'facts of 100 releases',
    ask: ({ facts }, { releaseIds }) => facts.factsFor(releaseIds.slice(0, 100)),
    allowed: { rows: 20 * WINDOW, because: OF_WINDOW },
  },
  { title: 'revision of a release', ask: ({ facts }, { releaseId }) => facts.revisions([releaseId]) },
  { title: 'revisions of 1,000 projects', ask: ({ facts }, { projectIds }) => facts.activeRevisions(projectIds) },
  { title: 'deployments by id', ask: ({ deployments }, { deploymentIds }) => deployments.byIds(deploymentIds) },
  {
    title: 'deployments',
    ask: ({ deployments }, { projectId, now }) =>
      pages((page) => deployments.page({ projectId }, page), [halfway(now), LAST_ID]),
  },
  {
    title: 'deployments of a window',
    ask: ({ deployments }, { projectId, now }) =>
      pages(
        (page) => deployments.page({ projectId, started: { from: now - 700 * DAY, to: now - 300 * DAY } }, page),
        [halfway(now), LAST_ID],
      ),
  },
  ...deploymentLists,
  {
    title: 'deployments in progress',
    ask: ({ deployments }, { projectId, now }) =>
      pages((page) => deployments.page({ projectId, status: 'started' }, page), [halfway(now), LAST_ID]),
    allowed: { rows: HOURS, because: OF_HOURS },
  },
  {
    title: 'last deployment of 1,000 projects',
    ask: ({ deployments }, { projectIds }) => deployments.lastReported(projectIds),
  },
  {
    title: 'first deployments of 40 windows',
    ask: ({ deployments }, { projectId, now }) =>
      deployments.firstOf(
        projectId,
        ['production'],
        Array.from({ length: 40 }, (_, place) => ({
          from: now - (900 - place * 20) * DAY,
          to: now - (880 - place * 20) * DAY,
        })),
      ),
  },
  {
    title: 'deployments that were not counted',
    ask: ({ deployments }, { projectId, now }) =>
      pages((page) => deployments.notCounted(projectId, null, page), [halfway(now), LAST_ID]),
    allowed: { rows: HOURS, because: OF_HOURS },
  },
  {
    title: 'deployments that were not counted, one environment left out',
    ask: ({ deployments }, { projectId, now }) =>
      pages(
        (page) => deployments.notCounted(projectId, ['production', 'staging', 'preview'], page),
        [halfway(now), LAST_ID],
      ),
    allowed: { rows: HOURS, because: OF_HOURS },
  },
  { title: 'test runs by id', ask: ({ testRuns }, { testRunIds }) => testRuns.byIds(testRunIds) },
  {
    title: 'test runs',
    ask: ({ testRuns }, { projectId, now }) =>
      pages((page) => testRuns.page({ projectId }, page), [halfway(now), halfway(now), LAST_ID]),
  },
  {
    title: 'test runs of a release',
    ask: ({ testRuns }, { projectId, releaseId, now }) =>
      pages((page) => testRuns.page({ projectId, releaseId }, page), [now - 45 * DAY, now - 45 * DAY, LAST_ID]),
  },
  {
    title: 'test runs of a suite',
    ask: ({ testRuns }, { projectId, releaseId, now }) =>
      pages(
        (page) => testRuns.page({ projectId, releaseId, suite: 'suite 2' }, page),
        [now - 45 * DAY, now - 45 * DAY, LAST_ID],
      ),
  },
  {
    title: 'test run by external id',
    ask: ({ testRuns }, { projectId }) => testRuns.page({ projectId, externalId: 'run:40' }, FIRST),
  },
  {
    title: 'last test run of 1,000 projects',
    ask: ({ testRuns }, { projectIds }) => testRuns.lastRecorded(projectIds),
  },
  {
    title: 'test runs that do not count any more',
    ask: ({ testRuns }, { projectId, now }) =>
      pages((page) => testRuns.notCounted(projectId, 'latest_run', page), [halfway(now), halfway(now), LAST_ID]),
  },
  {
    title: 'test runs that do not count any more, per suite',
    ask: ({ testRuns }, { projectId, now }) =>
      pages((page) => testRuns.notCounted(projectId, 'latest_per_suite', page), [halfway(now), halfway(now), LAST_ID]),
  },
  {
    title: 'the run before',
    ask: ({ testRuns }, { releaseId, now }) =>
      testRuns.before([
        { releaseId, ranAt: now - DAY, recordedAt: now - DAY, id: LAST_ID, ofSuite: true, suite: 'suite 2' },
      ]),
    allowed: { rows: 3_000, because: 'in a small table the runs of the release are sorted' },
  },
  {
    title: 'issues of a project',
    ask: ({ issues }, { projectId, now }) =>
      pages((page) => issues.page({ projectId }, page), [0, halfway(now), LAST_ID]),
  },
  {
    title: 'issues of a release',
    ask: ({ issues }, { projectId, releaseId, now }) =>
      pages((page) => issues.page({ projectId, releaseId }, page), [0, halfway(now), LAST_ID]),
    allowed: { rows: 3_000, because: 'those of one release may be sorted' },
  },
  {
    title: 'bugs of a project that are to do',
    ask: ({ issues }, { projectId, now }) =>
      pages((page) => issues.page({ projectId, type: 'bug', state: 'todo' }, page), [1, halfway(now), LAST_ID]),
  },
  {
    title: 'imported issues',
    ask: ({ issues }, { projectId }) => pages((page) => issues.importedPage(projectId, page), ['issue:5']),
    allowed: { rows: 5_000, because: 'most imported issues are of releases that have shipped' },
  },
  { title: 'issues by id', ask: ({ issues }, { issueIds }) => issues.byIds(issueIds) },
  {
    title: 'trend of a release',
    ask: ({ history }, { releaseId, now }) =>
      pages((page) => history.page(releaseId, page), [Math.floor(now / 1000) - 6_000]),
  },
  {
    title: 'last points of 100 releases',
    ask: ({ history }, { releaseIds }) => history.last(releaseIds.slice(0, 100), 20),
  },
  {
    title: 'latest point of 100 releases',
    ask: ({ history }, { releaseIds }) => history.latest(releaseIds.slice(0, 100)),
  },
  { title: 'point of a moment', ask: ({ history }, { releaseId, now }) => history.pointAt(releaseId, now - DAY) },
  {
    title: 'what moved a release by 40 changes',
    ask: ({ history }, { releaseId }) =>
      pages((page) => history.moves(releaseId, { revision: 10, at: 0 }, { revision: 50, at: 0 }, page), [30, 0, 0]),
  },
  {
    title: 'audit log',
    ask: ({ audit }, { teamId, now }) => pages((page) => audit.page({ teamId }, page), [halfway(now), LAST_ID]),
  },
  { title: 'projects of a name', ask: ({ projects }, { now }) => projects.named([{ name: 'checkout', at: now }]) },
  { title: 'projects of a team', ask: ({ projects }, { teamId }) => projects.ofTeams([teamId]) },
  { title: 'releases of a project', ask: ({ releases }, { projectId }) => releases.page({ projectId }, FIRST) },
  {
    title: 'deployments found by words',
    ask: ({ deployments }, { projectId, now }) =>
      pages(
        (page) => deployments.page({ projectId, text: { words: ['PREVIEW', 'a1'] } }, page),
        [halfway(now), LAST_ID],
      ),
    allowed: { rows: HOURS, because: 'the newest are looked at one by one until a page of them holds every word' },
  },
  {
    title: 'log of a webhook',
    ask: ({ webhooks }, { webhookId }) => pages((page) => webhooks.deliveries(webhookId, page), [LAST_ID]),
  },
];

const newId = uuidv7(Date.now);

/** A deployment that has just begun in the crowded project. */
const newDeployment = ({ projectId, now }: QuestionInput, over: Partial<Deployment> = {}): Deployment => ({
  id: newId(),
  projectId,
  appName: 'checkout',
  environment: 'production',
  commitSha: '4f2a9c1',
  version: null,
  deployedBy: null,
  status: 'started',
  isReturn: false,
  url: null,
  startedAt: now,
  finishedAt: null,
  durationSeconds: null,
  createdAt: now,
  external: null,
  ...over,
});

/** A test run of the crowded project's active release. */
const newTestRun = ({ projectId, releaseId, now }: QuestionInput): TestRun => ({
  id: newId(),
  projectId,
  releaseId,
  suite: 'suite 2',
  total: 10,
  passed: 9,
  failed: 1,
  skipped: null,
  commitSha: null,
  url: null,
  durationSeconds: null,
  ranAt: now,
  recordedAt: now,
  recordedBy: 'ci',
  external: null,
  setAside: null,
});

/** The reply stored for a report with that key. */
const remembered = (key: string, { now }: QuestionInput): Remembered => ({
  request: { caller: 'key', operation: 'POST /api/deployments', key, fingerprint: 'f', at: now },
  reply: { status: 201, location: null, body: '{}' },
});

const GROUP = 100;
const group = <Made>(make: (place: number) => Made): readonly Made[] =>
  Array.from({ length: GROUP }, (_, place) => make(place));

const claimAndSettle: Question['ask'] = async ({ history }, { now }) => {
  for (const dirty of await history.claim(now, 100, 30_000)) await history.settle(dirty, [], null);
};

const sendWebhooks: Question['ask'] = async ({ webhooks }, { now }) => {
  const claimed = await webhooks.claimWork(now, 30_000, 'lease', {
    slowTeams: [newId()],
    wanted: 'others',
    busyTeams: [newId()],
  });
  if (claimed === undefined) throw new Error('No webhook has work.');
  const { webhook } = claimed;
  const due = await webhooks.due(webhook.id, now, 20);
  for (const delivery of due.slice(0, 1))
    await webhooks.saveTry('lease', delivery, { ...delivery, tries: delivery.tries + 1 });
  await webhooks.endWork(webhook.id, 'lease');
  await webhooks.backlog();
};

const EACH = 'what a group of 100 changes is looked up by key: the row, its counts, its release';

/** Writing: reports of all kinds, work that is due, and removal of old records. */
export const CHANGING: readonly Question[] = [
  {
    title: '100 deployments with keys',
    ask: ({ reports }, place) =>
      reports.record(
        group((n) => ({
          kind: 'deployment',
          deployment: newDeployment(place),
          remember: remembered(`new ${n}`, place),
        })),
      ),
  },
  {
    title: '100 deployments with external ids, half of them known',
    ask: ({ reports }, place) =>
      reports.record(
        group((n) => ({
          kind: 'deployment',
          deployment: newDeployment(place, {
            external: { id: n % 2 === 0 ? `run:${n * 20 + 40}` : `new ${n}`, fingerprint: 'f' },
          }),
          remember: null,
        })),
      ),
    allowed: { rows: 50, because: 'the known half is looked for, too' },
  },
  {
    title: '100 finished deployments',
    ask: ({ reports }, place) =>
      reports.record(
        place.deploymentIds.slice(0, GROUP).map((deploymentId) => ({
          kind: 'finish',
          deploymentId,
          status: 'success',
          finishedAt: place.now,
          at: place.now,
          durationSeconds: null,
        })),
      ),
    allowed: { rows: 1_000, because: EACH },
  },
  {
    title: '100 test runs',
    ask: ({ reports }, place) =>
      reports.record(group(() => ({ kind: 'test_run', testRun: newTestRun(place), remember: null }))),
  },
  {
    title: 'where 100 test runs go',
    ask: ({ testRuns }, { projectIds }) =>
      testRuns.targets(
        projectIds.slice(0, GROUP).map((projectId) => ({ projectId, releaseId: null, suite: 'suite 2' })),
      ),
    allowed: {
      rows: 100,
      because: 'each is asked for a suite whose latest run is set aside, by one more look down an index',
    },
  },
  {
    title: 'a project that is renamed',
    ask: async ({ projects }, { projectId, now }) => {
      const project = await projects.byId(projectId);
      if (project === undefined) throw new Error('The crowded project is gone.');
      await projects.replace({ ...project, name: 'till', version: project.version + 1 }, now);
    },
    allowed: { rows: 500, because: 'each of the 41 releases of the project is marked' },
  },
  { title: 'releases whose trend is to be written', ask: claimAndSettle },
  {
    title: 'webhooks that have something to send',
    ask: sendWebhooks,
    allowed: { rows: 200, because: 'there are 51 webhooks' },
  },
  {
    title: 'deployments in progress that came by import',
    ask: ({ deployments }, { projectId, now }) =>
      deployments.unfinished({ projectId, externalPrefix: 'run:', since: now - 30 * DAY }, { limit: 50, after: null }),
    allowed: { rows: 500_000, because: 'those of the last 30 days, from the index alone' },
  },
  {
    title: 'a key that is taken',
    ask: (stores, { now }) =>
      stores.transaction(({ idempotency }) =>
        idempotency.take({ caller: 'key', operation: 'POST /api/x', key: 'k', fingerprint: 'f', at: now }),
      ),
  },
  {
    title: 'remembered answers that are forgotten',
    ask: ({ idempotency }, { now }) => idempotency.removeBefore(now - 7.9 * DAY),
  },
  {
    title: 'old deliveries that are forgotten',
    ask: ({ webhooks }, { now }) => webhooks.removeDeliveries(now - 999 * DAY),
  },
];
