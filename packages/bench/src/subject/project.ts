import { requestText, SEQUENCE_PLACEHOLDER, sequenceText } from '../load/load-process.js';
import type { RunningServer, SignedInPerson } from './shipworthy.js';

/** A project with an active release. */
export interface BenchProject {
  readonly teamId: string;
  readonly id: string;
  readonly name: string;
  readonly releaseId: string;
}

const idOf = (data: Readonly<Record<string, unknown>>): string => String(data.id);

const AT_ONCE = 8;

/** Works through the items, several at a time. */
export const each = async <Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> => {
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

/** Creates a team; returns its id. */
export const setUpTeam = async (person: SignedInPerson): Promise<string> =>
  idOf(await person.post('/api/teams', { name: 'Payments' }));

/** Creates a project whose active release started at `startsAt` (milliseconds since 1970), with a few issues in it. */
export const setUpProject = async (
  person: SignedInPerson,
  teamId: string,
  name: string,
  startsAt: number,
): Promise<BenchProject> => {
  const id = idOf(await person.post(`/api/teams/${teamId}/projects`, { name }));
  const path = `/api/teams/${teamId}/projects/${id}`;
  const startsAtText = new Date(startsAt).toISOString();
  const releaseId = idOf(await person.post(`${path}/releases`, { name: 'Spring', starts_at: startsAtText }));
  await person.post(`${path}/releases/${releaseId}/activate`, {});
  for (const [title, type, state] of [
    ['Pay by invoice', 'feature', 'done'],
    ['Totals are rounded twice', 'bug', 'done'],
    ['Refunds take a day', 'bug', 'todo'],
  ])
    await person.post(`${path}/issues`, { title, type, state, release_id: releaseId });
  return { teamId, id, name, releaseId };
};

/** Creates an API key with every scope, for one team where it is named; returns the key itself. */
export const createKey = async (person: SignedInPerson, teamId?: string): Promise<string> => {
  const team = teamId === undefined ? {} : { team_id: teamId };
  const scopes = ['read', 'deployments:write', 'test-runs:write'];
  return String((await person.post('/api/settings/api-keys', { name: 'bench', scopes, ...team })).key);
};

/** By how many characters a number is longer than its placeholder SEQUENCE_PLACEHOLDER. */
export const GROWTH = sequenceText(0).length - SEQUENCE_PLACEHOLDER.length;

/** The body that reports a finished deployment; each request gets a commit of its own. */
export const deploymentBody = (app: string, commits: string): string =>
  JSON.stringify({
    app_name: app,
    environment: 'production',
    commit_sha: `${commits}${SEQUENCE_PLACEHOLDER}`,
    version: '4.12.0',
    deployed_by: 'ci',
    status: 'success',
  });

/**
 * Reports a finished deployment, each request with a commit and an idempotency key of its own.
 * @param commits the first 24 hexadecimal digits of all their commits
 */
export const deploymentRequest = (app: string, key: string, commits: string): string =>
  requestText({
    method: 'POST',
    path: '/api/deployments',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${commits}-${SEQUENCE_PLACEHOLDER}`,
    },
    body: deploymentBody(app, commits),
    bodyGrowth: GROWTH,
  });

/** Where the report of a project's active release is read. */
export const readinessPath = ({ teamId, id }: BenchProject): string => `/api/teams/${teamId}/projects/${id}/readiness`;

/** A request for the report of the active release; with an ETag it is answered 304 while the report is unchanged. */
export const readinessRequest = (project: BenchProject, key: string, etag: string | null): string =>
  requestText({
    method: 'GET',
    path: readinessPath(project),
    headers: { Authorization: `Bearer ${key}`, ...(etag === null ? {} : { 'If-None-Match': etag }) },
  });

/** The parts of a readiness report and its answer that are used. */
export interface ReadReport {
  /** Deployments that count: succeeded, failed and in progress together. */
  readonly deployments: number;
  readonly etag: string;
  /** Bytes of the body. */
  readonly size: number;
}

interface Stability {
  readonly axis: string;
  readonly facts: { readonly succeeded: number; readonly failed: number; readonly in_progress: number };
}

/** Reads the report of the active release. @throws Error on any answer but 200 with an ETag */
export const readReleaseReport = async (
  { port }: RunningServer,
  project: BenchProject,
  key: string,
): Promise<ReadReport> => {
  const response = await fetch(`http://127.0.0.1:${port}${readinessPath(project)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const etag = response.headers.get('etag');
  if (response.status !== 200 || etag === null) throw new Error(`The report was answered ${response.status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { axes: readonly Stability[] } };
  const facts = data.axes.find(({ axis }) => axis === 'stability')?.facts;
  if (!facts) throw new Error(`The report has no facts about stability: ${text}`);
  return { deployments: facts.succeeded + facts.failed + facts.in_progress, etag, size: Buffer.byteLength(text) };
};
