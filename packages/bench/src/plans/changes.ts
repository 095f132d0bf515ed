import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Deployment, Remembered, TestRun } from '@shipworthy/domain';
import type { Question, QuestionInput } from './questions.js';

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

/** A test run of its active release. */
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

/** What is remembered of a report that was sent with that key. */
const remembered = (key: string, { now }: QuestionInput): Remembered => ({
  request: { caller: 'key', operation: 'POST /api/deployments', key, fingerprint: 'f', at: now },
  reply: { status: 201, location: null, body: '{}' },
});

const DAY = 86_400_000;
const GROUP = 100;
const group = <Made>(make: (place: number) => Made): readonly Made[] =>
  Array.from({ length: GROUP }, (_, place) => make(place));

const claimAndSettle: Question['ask'] = async ({ history }, { now }) => {
  for (const dirty of await history.claim(now, 100, 30_000)) await history.settle(dirty, [], null);
};

const sendWebhooks: Question['ask'] = async ({ webhooks }, { now }) => {
  const claimed = await webhooks.claimWork(now, 30_000, 'lease', {
    slow: [newId()],
    wanted: 'others',
    busyTeams: [newId()],
  });
  if (claimed === undefined) throw new Error('No webhook has work.');
  const { webhook } = claimed;
  const due = await webhooks.due(webhook.id, now, 20);
  for (const delivery of due.slice(0, 1)) await webhooks.saveTry('lease', delivery);
  await webhooks.endWork(webhook.id, 'lease');
  await webhooks.backlog();
};

const EACH = 'what a group of 100 changes is looked up by key: the row, its counts, its release';

/** Writing: reports one way and another, work that is due, and what is forgotten. */
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
      deployments.unfinished({ projectId, externalPrefix: 'run:', since: now - 30 * DAY, limit: 50 }),
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
