import { DomainError, notFound } from '../../src/errors.js';
import type {
  HostBudget,
  HostDeployment,
  HostIssue,
  HostMilestone,
  HostReading,
  HostReadRequest,
  HostRepository,
  HostTestRun,
  RepositoryHost,
  RepositoryIdentity,
} from '../../src/repository/host.js';

/** What is at the host, to be changed by tests; every change of a list needs `touch`. */
export interface HostModel {
  repository: HostRepository;
  milestones: HostMilestone[];
  issues: HostIssue[];
  deployments: HostDeployment[];
  testRuns: HostTestRun[];
  /** Rows on a page. */
  pageSize: number;
  budget: HostBudget | null;
  /** A path that is another repository's now: nothing is found under it. */
  taken: string | null;
  /** What the next request fails with. */
  failure: DomainError | null;
  /** Runs within each request, before it is answered. */
  beforeAnswer: () => Promise<void>;
  /** The requests, oldest first; those answered with `unchanged` bear a `=`. */
  readonly requests: string[];
  readonly answers: RepositoryHost;
}

/** A reading that passes the rows in order of their moments, while rows are added. */
const reading = <Row extends { readonly id: string }>(
  model: HostModel,
  rows: readonly Row[],
  momentOf: (row: Row) => number,
  { since, page, validator }: HostReadRequest,
): HostReading<Row> => {
  const now = JSON.stringify(rows);
  const { budget } = model;
  if (page === null && validator === now) return { unchanged: true, budget };
  const placeOf = (row: Row): string => `${String(momentOf(row)).padStart(16, '0')} ${row.id}`;
  const wanted = rows
    .filter((row) => since === null || momentOf(row) >= since)
    .filter((row) => page === null || placeOf(row) > page)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const shown = wanted.slice(0, model.pageSize);
  const last = shown.at(-1);
  const next = last === undefined || shown.length === wanted.length ? null : placeOf(last);
  return { unchanged: false, rows: shown, next, validator: page === null ? now : null, budget };
};

export const hostModel = (): HostModel => {
  const asked = async <Answer>(name: string, answer: () => Answer): Promise<Answer> => {
    await model.beforeAnswer();
    const { failure } = model;
    model.failure = null;
    model.requests.push(name);
    if (failure !== null) throw failure;
    const given = answer();
    if (typeof given === 'object' && given !== null && 'unchanged' in given && given.unchanged)
      model.requests.splice(-1, 1, `${name}=`);
    return given;
  };
  const askedAt = <Answer>({ path }: RepositoryIdentity, name: string, answer: () => Answer): Promise<Answer> =>
    asked(name, () => {
      if (path === model.taken) throw notFound('repository');
      return answer();
    });
  const byIds = <Row extends { readonly id: string }>(rows: readonly Row[], ids: readonly string[]) =>
    rows.filter(({ id }) => ids.includes(id));
  const model: HostModel = {
    repository: {
      id: 'R1',
      path: 'acme/shop',
      url: 'https://host.example/acme/shop',
      private: true,
      archived: false,
      defaultBranch: 'main',
    },
    milestones: [],
    issues: [],
    deployments: [],
    testRuns: [],
    pageSize: 100,
    budget: null,
    taken: null,
    failure: null,
    beforeAnswer: async () => undefined,
    requests: [],
    answers: {
      account: () => asked('account', () => ({ id: 'A1', name: 'ada' })),
      mayWrite: async () => false,
      repositories: () => asked('repositories', () => ({ rows: [model.repository], next: null })),
      repository: (_, name) =>
        asked('repository', () => {
          const { id, path } = model.repository;
          if (typeof name === 'string' ? name !== path : name.id !== id) throw notFound('repository');
          return model.repository;
        }),
      milestones: (_, at, request) =>
        askedAt(at, 'milestones', () => reading(model, model.milestones, () => 0, { ...request, since: null })),
      issues: (_, at, request) =>
        askedAt(at, 'issues', () => reading(model, model.issues, (row) => row.updatedAt, request)),
      issuesById: (_, __, ids) => asked('issuesById', () => ({ rows: byIds(model.issues, ids), budget: model.budget })),
      deployments: (_, __, request) =>
        asked('deployments', () => reading(model, model.deployments, (row) => row.createdAt, request)),
      deploymentsById: (_, __, ids) =>
        asked('deploymentsById', () => ({ rows: byIds(model.deployments, ids), budget: model.budget })),
      testRuns: (_, __, ___, request) =>
        asked('testRuns', () => reading(model, model.testRuns, (row) => row.ranAt, request)),
    },
  };
  return model;
};

/** A failure that is the host's. */
export const unavailable = (retryAt?: number): DomainError =>
  new DomainError('host-unavailable', 'The host did not answer in time.', {
    cause: retryAt === undefined ? 'timeout' : 'rate_limited',
    ...(retryAt === undefined ? {} : { retryAt }),
  });
