import { expect } from 'chai';
import { CHECK_RUNS_QUERY, SUITES_QUERY } from '../../src/github/workflow-runs.js';
import { begun, whole } from './issue-fixtures.js';
import { publishedExample } from './published-interface.js';
import { faultsOf } from './published-schema.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersQuery,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

const RUNS_PATH = '/repos/acme/shop/actions/runs';
const runsQuery = (page = 1) => ({
  branch: 'main',
  status: 'completed',
  per_page: '100',
  page: String(page),
  exclude_pull_requests: 'true',
});
const [RUN] = (publishedExample('GET', RUNS_PATH) as { workflow_runs: Record<string, unknown>[] }).workflow_runs;
const run = (id: number, workflow_id: number, parts: Record<string, unknown> = {}) => ({
  ...RUN,
  id,
  workflow_id,
  name: `Workflow ${workflow_id}`,
  run_attempt: 1,
  head_sha: 'c0ffee',
  html_url: `https://github.com/acme/shop/actions/runs/${id}`,
  check_suite_node_id: `CS_${id}`,
  updated_at: '2026-02-01T10:00:00Z',
  repository: { ...(RUN?.repository as object), id: 1296269 },
  ...parts,
});
const job = (id: string, conclusion: string | null, minute: number | null) => ({
  id,
  status: 'COMPLETED',
  conclusion,
  completedAt: minute === null ? null : `2026-02-01T09:0${minute}:00Z`,
});
const suite = (id: number, jobs: readonly unknown[]) => ({
  __typename: 'CheckSuite',
  id: `CS_${id}`,
  checkRuns: whole(jobs),
});
const answeredRuns = (runs: readonly unknown[], headers: Record<string, string> = {}, page = 1) =>
  answersGet({
    path: RUNS_PATH,
    query: runsQuery(page),
    status: 200,
    body: { total_count: runs.length, workflow_runs: runs },
    headers: { etag: '"w1"', ...BUDGET_HEADERS, ...headers },
  });
const NEXT = { link: '<https://api.github.com/x?page=2>; rel="next"' };

describe('workflows at GitHub', () => {
  withoutNetwork();
  const { repositories } = hostAt();
  const read = async (request = ALL) => {
    const reading = await repositories.testRuns(accessOf(), REPOSITORY, 'workflows', request);
    if (reading.unchanged) throw new Error('it is not unchanged');
    return reading;
  };

  it('are asked for in the words of the published schema', () => {
    for (const text of [SUITES_QUERY, CHECK_RUNS_QUERY]) expect(faultsOf(text)).to.deep.equal([]);
  });

  it('are first read as the newest run of each, its jobs counted and ended when the last one ended', async () => {
    answeredRuns([run(30, 1), run(20, 2, { run_attempt: 3, name: null }), run(10, 1)], NEXT);
    const jobs = [
      'SUCCESS',
      'FAILURE',
      'TIMED_OUT',
      'STARTUP_FAILURE',
      'ACTION_REQUIRED',
      'CANCELLED',
      'SKIPPED',
      'NEUTRAL',
      'STALE',
    ];
    const asked = answersQuery({
      nodes: [
        suite(
          30,
          jobs.map((conclusion, i) => job(`j${i}`, conclusion, i)),
        ),
        suite(20, [job('k', 'SUCCESS', 1)]),
      ],
    });
    expect(await read()).to.deep.equal({
      unchanged: false,
      rows: [
        {
          id: '30.1',
          suite: 'Workflow 1',
          passed: 1,
          failed: 4,
          skipped: 4,
          ranAt: Date.parse('2026-02-01T09:08:00Z'),
          commitSha: 'c0ffee',
          url: 'https://github.com/acme/shop/actions/runs/30',
        },
        {
          id: '20.3',
          suite: null,
          passed: 1,
          failed: 0,
          skipped: 0,
          ranAt: Date.parse('2026-02-01T09:01:00Z'),
          commitSha: 'c0ffee',
          url: 'https://github.com/acme/shop/actions/runs/20',
        },
      ],
      next: null,
      validator: '"w1"',
      budget: { limit: 5000, remaining: 4990, resetAt: Date.parse('2026-03-01T12:00:00Z') },
    });
    expect(asked[0]?.variables).to.deep.equal({ ids: ['CS_30', 'CS_20'] });
  });

  it('are afterwards read one by one, page after page while something was touched, by when they really ended', async () => {
    const since = Date.parse('2026-02-01T09:05:00Z');
    answeredRuns([run(30, 1), run(20, 1, { updated_at: '2026-02-01T09:00:00Z' }), run(10, 1)], NEXT);
    const asked = answersQuery({ nodes: [suite(30, [job('a', 'SUCCESS', 7)]), suite(10, [job('b', 'FAILURE', 1)])] });
    const first = await read({ ...ALL, since });
    expect(asked[0]?.variables).to.deep.equal({ ids: ['CS_30', 'CS_10'] });
    expect(first.rows.map(({ id }) => id)).to.deep.equal(['30.1']);

    answeredRuns([run(5, 1, { updated_at: '2026-01-01T00:00:00Z' })], NEXT, 2);
    const last = await read({ ...ALL, since, page: first.next });
    expect(last).to.deep.include({ rows: [], next: null, validator: null });
  });

  it('are not those of another repository that has taken the path', async () => {
    const repository = { ...(RUN?.repository as object), id: 5 };
    answeredRuns([run(1, 1, { repository })]);
    const asked = repositories.testRuns(accessOf(), REPOSITORY, 'workflows', ALL);
    expect(await failureOf(asked)).to.include({ code: 'not-found' });
  });

  it('are unchanged when GitHub says so', async () => {
    answersGet({ path: RUNS_PATH, query: runsQuery(), status: 304, validator: '"w1"' });
    const request = { ...ALL, validator: '"w1"' };
    expect(await repositories.testRuns(accessOf(), REPOSITORY, 'workflows', request)).to.deep.include({
      unchanged: true,
    });
  });

  it('are no test run when nothing ran: no job, no suite any more', async () => {
    answeredRuns([run(1, 1), run(2, 2), run(3, 3)]);
    answersQuery({ nodes: [suite(1, []), null, suite(3, [job('a', 'CANCELLED', null)])] });
    expect((await read()).rows).to.deep.equal([]);
    answeredRuns([]);
    expect((await read()).rows).to.deep.equal([]);
  });

  it('are completed when their jobs do not fit a page', async () => {
    answeredRuns([run(1, 1)]);
    answersQuery({ nodes: [{ ...suite(1, []), checkRuns: begun([job('a', 'SUCCESS', 1)], 'c1') }] });
    const rest = answersQuery({ nodes: [suite(1, [job('b', 'FAILURE', 2)])] });
    expect((await read()).rows[0]).to.deep.include({ passed: 1, failed: 1 });
    expect(rest[0]?.variables).to.deep.equal({ ids: ['CS_1'], after: 'c1' });
  });
});
