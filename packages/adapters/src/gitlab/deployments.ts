import { DomainError, type Instant, notFound } from '@shipworthy/domain';
import type {
  HostAccess,
  HostDeployment,
  HostDeploymentState,
  RepositoryHost,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import { hostUnavailable } from '../host-http/answer-meaning.js';
import {
  changedRows,
  type Fields,
  type FullReply,
  fieldsOf,
  type GitlabApi,
  moment,
  momentOrNull,
  TITLE,
  text,
  textOrNull,
  unexpectedJson,
  wholeNumber,
  within,
} from './api.js';

/**
 * Reads the deployments of a project. GitLab lists them by when they changed, so a deployment that ends is listed
 * again. `deploymentsById` costs one request for each. Every 50 ended deployments without a job (recorded by a tool)
 * cost one more.
 */
export const gitlabDeployments = (api: GitlabApi): Pick<RepositoryHost, 'deployments' | 'deploymentsById'> => {
  const endsOf = deploymentEnds(api);

  const readOut = async (
    access: HostAccess,
    repository: RepositoryIdentity,
    page: readonly Fields[],
  ): Promise<readonly HostDeployment[]> => {
    const numberOf = (row: Fields): number => wholeNumber(row, 'iid');
    const ends = await endsOf(access, repository, page.filter(lacksEnd).map(numberOf));
    return page.map((row) => deploymentOf(row, ends.get(numberOf(row)) ?? null));
  };

  /** undefined: there is no such deployment. */
  const single = async (
    access: HostAccess,
    repository: RepositoryIdentity,
    id: string,
  ): Promise<FullReply | undefined> => {
    try {
      return await api.getFull(access, { path: [...pathOf(repository), id], what: 'deployment' });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not-found') return undefined;
      throw error;
    }
  };

  return {
    deployments: (access, repository, request) =>
      changedRows(
        api,
        access,
        {
          reading: { path: pathOf(repository), what: 'repository' },
          rowsOf: (page) => readOut(access, repository, page),
        },
        request,
      ),
    deploymentsById: async (access, repository, ids) => {
      const waiting = ids.filter((id) => /^[1-9]\d*$/.test(id)).reverse();
      const found: FullReply[] = [];
      const work = async (): Promise<void> => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          const reply = await single(access, repository, id);
          if (reply !== undefined) found.push(reply);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const rows = await readOut(
        access,
        repository,
        found.map(({ body }) => fieldsOf(body)),
      );
      return { rows, budget: found.at(-1)?.budget ?? null };
    },
  };
};

/** Deployments in one GraphQL query; each costs two or three points of the 250 that GitLab allows a query. */
const PER_QUERY = 50;

/** Numbers of deployments with the moments they ended at, as far as GitLab knows. */
export type Ends = ReadonlyMap<number, Instant>;

const queryOf = (numbers: readonly number[]): string => {
  const parts = numbers.map((number) => `d${number}: deployment(iid: "${number}") { finishedAt }`);
  return `query ends($path: ID!) { project(fullPath: $path) { ${parts.join(' ')} } }`;
};

/** How GraphQL refuses a field that an older GitLab does not have. */
const UNKNOWN_FIELD = /doesn't exist on type/;

/** Whether the errors of an answer all say that this GitLab does not know a field. */
const isTooOld = (errors: readonly unknown[]): boolean =>
  errors.length > 0 && errors.every((error) => UNKNOWN_FIELD.test(textOrNull(fieldsOf(error), 'message') ?? ''));

/**
 * Returns the ends in an answer; none when this GitLab is too old to know them. Any other answer without ends is a failure:
 * a deployment without an end would be left out, and not be read again.
 * @throws DomainError `host-unavailable` for other errors, `not-found` when no project has the path
 */
const endsIn = (answer: Fields): readonly (readonly [number, Instant])[] => {
  const errors: unknown = answer.errors ?? [];
  if (!Array.isArray(errors)) throw unexpectedJson();
  if (isTooOld(errors)) return [];
  if (errors.length > 0) throw hostUnavailable('server_error', `${TITLE} could not answer the query.`);
  const data = within(answer, 'data');
  if (data === undefined) throw unexpectedJson();
  const project = within(data, 'project');
  if (project === undefined) throw notFound('repository');
  return Object.keys(project).flatMap((name) => {
    const deployment = within(project, name);
    const end = deployment === undefined ? null : momentOrNull(deployment, 'finishedAt');
    return end === null ? [] : [[Number(name.slice(1)), end] as const];
  });
};

/**
 * Reads when deployments without a job ended. GitLab gives that moment (`Deployment.finishedAt`) by GraphQL only; it is
 * asked for 50 at a time. With an installation too old to know the field the ends stay unknown. GraphQL finds a project by
 * its path only, so `not-found` may mean that the project has moved.
 */
const deploymentEnds =
  (api: GitlabApi) =>
  async (access: HostAccess, repository: RepositoryIdentity, numbers: readonly number[]): Promise<Ends> => {
    const ends = new Map<number, Instant>();
    for (let begin = 0; begin < numbers.length; begin += PER_QUERY) {
      const query = queryOf(numbers.slice(begin, begin + PER_QUERY));
      const answer = await api.query(access, query, { path: repository.path });
      for (const [number, end] of endsIn(fieldsOf(answer))) ends.set(number, end);
    }
    return ends;
  };

/** GitLab's states. A canceled, skipped or unknown one says nothing about how a deployment went. */
const STATES: Readonly<Record<string, HostDeploymentState>> = {
  created: 'queued',
  blocked: 'queued',
  running: 'started',
  success: 'success',
  failed: 'failure',
  canceled: 'other',
  skipped: 'other',
};

const stateOf = (fields: Fields): HostDeploymentState => STATES[text(fields, 'status')] ?? 'other';

const jobMoment = (fields: Fields, name: 'started_at' | 'finished_at'): Instant | null => {
  const job = within(fields, 'deployable');
  return job === undefined ? null : momentOrNull(job, name);
};

/** Whether a deployment succeeded or failed and no job says when: a tool recorded it, and its row has no end. */
export const lacksEnd = (fields: Fields): boolean =>
  ['success', 'failure'].includes(stateOf(fields)) && jobMoment(fields, 'finished_at') === null;

/** When the present state was entered; null: unknown. */
const enteredAt = (fields: Fields, state: HostDeploymentState, end: Instant | null): Instant | null => {
  const createdAt = moment(fields, 'created_at');
  if (state === 'queued') return createdAt;
  if (state === 'started') return jobMoment(fields, 'started_at') ?? createdAt;
  return jobMoment(fields, 'finished_at') ?? end;
};

/**
 * Converts a deployment. GitLab keeps no list of its states, so they are derived from the present state and the job.
 * The end is the job's `finished_at`, or `end` if a tool recorded the deployment; `updated_at` moves with every later
 * change and is no end. A deployment that ended at an unknown moment gets the state `other`.
 */
export const deploymentOf = (fields: Fields, end: Instant | null): HostDeployment => {
  const createdAt = moment(fields, 'created_at');
  const job = within(fields, 'deployable');
  const user = within(fields, 'user');
  const environment = within(fields, 'environment');
  const state = stateOf(fields);
  const at = enteredAt(fields, state, end);
  const began = jobMoment(fields, 'started_at');
  const states: { state: HostDeploymentState; at: Instant }[] = [];
  if (at === null) states.push({ state: 'other', at: createdAt });
  else {
    const hasEnded = state !== 'queued' && state !== 'started';
    if (hasEnded && began !== null) states.push({ state: 'started', at: Math.min(began, at) });
    states.push({ state, at });
  }
  return {
    id: String(wholeNumber(fields, 'id')),
    // A deleted environment leaves its deployments behind.
    environment: (environment && textOrNull(environment, 'name')) ?? 'unknown',
    commitSha: text(fields, 'sha'),
    ref: textOrNull(fields, 'ref'),
    deployedBy: (user && textOrNull(user, 'username')) ?? null,
    url: (job && textOrNull(job, 'web_url')) ?? null,
    createdAt,
    states,
  };
};

/** How many single deployments are asked for at once. */
const AT_ONCE = 4;

const pathOf = (repository: RepositoryIdentity): readonly string[] => ['projects', repository.id, 'deployments'];
