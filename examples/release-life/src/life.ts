import type { Client, ReadinessReport } from '@shipworthy/client';
import { verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';
import { differenceWords, reportWords } from './words.js';

type Say = (heading: string, lines: readonly string[]) => void;

/** The path parameters of the release in the API. */
export interface ReleasePath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const DAY = 24 * 3_600_000;

/** Ada plans and activates a release. */
export const create = async (ada: Client): Promise<ReleasePath> => {
  const team_id = (await ada.createTeam({ body: { name: 'Shop' } })).body.data.id;
  const project_id = (await ada.createProject({ path: { team_id }, body: { name: 'checkout' } })).body.data.id;
  const inProject = { team_id, project_id };
  const release_id = (await ada.createRelease({ path: inProject, body: { name: '2.0' } })).body.data.id;
  await ada.activateRelease({ path: { ...inProject, release_id } });
  return { ...inProject, release_id };
};

/** Adds issues, ticks the checklist, and reports deployments and tests. */
export const feed = async (ada: Client, pipeline: Client, path: ReleasePath): Promise<void> => {
  const { release_id, ...inProject } = path;
  for (const [title, type, state] of [
    ['Gift cards', 'feature', 'done'],
    ['Saved addresses', 'feature', 'done'],
    ['Totals are rounded twice', 'bug', 'done'],
  ] as const)
    await ada.createIssue({ path: inProject, body: { title, type, state, release_id } });
  const crash = { title: 'Checkout crashes on iOS 14', type: 'bug', state: 'todo', severity: 'critical' } as const;
  await ada.createIssue({ path: inProject, body: { ...crash, release_id } });
  for (const item of (await ada.listChecklist({ path })).body.data)
    await ada.changeChecklistItem({ path: { ...path, item_id: item.id }, body: { state: 'done' } });
  for (const status of ['success', 'failure', 'success', 'success'] as const)
    await pipeline.recordDeployment({
      body: { app_name: 'checkout', environment: 'production', commit_sha: COMMIT, status },
    });
  await pipeline.recordTestRun({ path: inProject, body: { total: 200, passed: 196, failed: 4, suite: 'all' } });
};

const reportOf = async (client: Client, path: ReleasePath): Promise<ReadinessReport> =>
  (await client.readReadiness({ path })).body.data;

const SECOND = 1_000;

/** Waits until the trend has a lasting point of the report: changes within the same second would still replace it. */
const followed = async (client: Client, path: ReleasePath, { as_of }: ReadinessReport): Promise<void> => {
  const known = Date.parse(as_of);
  for (let tries = 0; tries < 1_000; tries += 1) {
    const last = (await client.listHistory({ path })).body.data.at(-1);
    if (last !== undefined && Date.parse(last.at) >= known && Date.now() >= known + SECOND) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The trend has not reached ${as_of}.`);
};

const waive = async (ada: Client, path: ReleasePath): Promise<void> => {
  const expires_at = new Date(Date.now() + 7 * DAY).toISOString();
  for (const { code, axis, actual } of (await reportOf(ada, path)).gate.reasons) {
    if (code === 'no_weights') continue;
    await ada.waiveReason({
      path,
      body: { code, ...(axis ? { axis } : {}), actual, text: 'iOS 14 is 0.3 % of sales; fixed in 2.0.1', expires_at },
    });
  }
};

const carriedAway = async (pipeline: Client, path: ReleasePath): Promise<readonly string[]> => {
  const { verdict } = (await pipeline.readGate({ path, query: { signed: true } })).body;
  if (verdict === undefined) throw new Error('No verdict was signed.');
  const keys = (await pipeline.readVerdictKeys({})).body;
  const { statement } = await verifyVerdict(verdict, keys);
  const { result } = statement.predicate;
  const recomputed = recomputeVerdict(statement.predicate);
  return [`${result.decision.toUpperCase()} for commit ${COMMIT.slice(0, 7)}; computed again: ${recomputed.outcome}`];
};

/** Lives the whole life of a release, and says at each step what the API answers. */
export const live = async (ada: Client, pipeline: Client, path: ReleasePath, say: Say): Promise<void> => {
  const { release_id: _, ...inProject } = path;
  say('Created', reportWords(await reportOf(pipeline, path)));
  await feed(ada, pipeline, path);
  const held = await reportOf(pipeline, path);
  say('Fed, and held', reportWords(held));
  const resolved = { resolved: 2, total: 2, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };
  const asked = { facts: { scope: { done: 4, total: 4 }, quality: resolved } };
  say('What if the bug were resolved', reportWords((await pipeline.askWhatIf({ path, body: asked })).body.data.report));
  await followed(pipeline, path, held);
  await waive(ada, path);
  say('Waived for a week', reportWords(await reportOf(pipeline, path)));
  await ada.shipRelease({ path, body: { note: 'Marketing is waiting' } });
  say('Shipped, and frozen', reportWords(await reportOf(pipeline, path)));
  const query = { from: held.as_of };
  say('What moved it since it was held', differenceWords((await pipeline.readDifference({ path, query })).body));
  await pipeline.recordDeployment({
    body: { app_name: 'checkout', environment: 'production', commit_sha: COMMIT, status: 'failure' },
  });
  const late = (await pipeline.listNotCounted({ path: inProject, query: { kind: 'deployment' } })).body.data;
  say(
    'A deployment after it shipped',
    late.map(({ reason }) => `accepted, not counted: ${reason}`),
  );
  say('The verdict, verified without the server', await carriedAway(pipeline, path));
};
