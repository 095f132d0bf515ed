import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_RUNS_QUERY, conclusionCounts, digestOf, SUITES_QUERY } from '../../src/github/test-runs.js';
import { begun, whole } from './issue-fixtures.js';
import { publishedExample } from './published-interface.js';
import { faultsOf } from './published-schema.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersOddly,
  answersQuery,
  BUDGET_HEADERS,
  failureOf,
  hostAt,
  identified,
  REPOSITORY,
  withoutNetwork,
} from './scene.js';

const CHECKS_PATH = '/repos/acme/shop/commits/heads%2Fmain/check-runs';
const PUBLISHED_CHECKS = '/repos/acme/shop/commits/main/check-runs';
const checksQuery = (page = 1) => ({ filter: 'latest', per_page: '100', page: String(page) });
const SHA = 'c0ffee';
const [CHECK] = (publishedExample('GET', PUBLISHED_CHECKS) as { check_runs: Record<string, unknown>[] }).check_runs;
const check = (id: number, conclusion: string | null, minute: number) => ({
  ...CHECK,
  id,
  head_sha: SHA,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  completed_at: conclusion === null ? null : `2026-02-01T09:0${minute}:00Z`,
});
const answeredChecks = (runs: readonly unknown[], headers: Record<string, string> = {}, path = CHECKS_PATH, page = 1) =>
  answersGet({
    path,
    query: checksQuery(page),
    status: 200,
    body: { total_count: runs.length, check_runs: runs },
    headers: { etag: '"c1"', ...BUDGET_HEADERS, ...headers },
  });

describe('checks at GitHub', () => {
  withoutNetwork();
  const { reader } = hostAt();
  const answeredHere = (...answer: Parameters<typeof answeredChecks>) => {
    answeredChecks(...answer);
    identified();
  };
  const read = async (request = ALL) => {
    const reading = await reader.testRuns(accessOf(), REPOSITORY, 'checks', request);
    if (reading.unchanged) throw new Error('it is not unchanged');
    return reading;
  };

  it('count every conclusion as passed, failed or neither, and end when the last one ended', async () => {
    const passed = ['success'];
    const failed = ['failure', 'timed_out', 'action_required'];
    const neither = ['cancelled', 'skipped', 'neutral'];
    answeredHere([...passed, ...failed, ...neither].map((conclusion, i) => check(i, conclusion, i)));
    const { rows, validator, next } = await read();
    expect(rows[0]).to.deep.include({
      suite: null,
      passed: 1,
      failed: 3,
      skipped: 3,
      commitSha: SHA,
      url: `https://github.com/acme/shop/commit/${SHA}/checks`,
      ranAt: Date.parse('2026-02-01T09:06:00Z'),
    });
    expect({ validator, next }).to.deep.equal({ validator: '"c1"', next: null });
  });

  it('are a run only when all have finished, and none when there is none', async () => {
    answeredHere([check(1, 'success', 1), check(2, null, 2)]);
    expect((await read()).rows).to.deep.equal([]);
    answeredHere([]);
    expect((await read()).rows).to.deep.equal([]);
  });

  it('are the same run in any order, and another one once a check ran again', async () => {
    const idOf = async (runs: readonly unknown[]) => {
      answeredHere(runs);
      return (await read()).rows[0]?.id;
    };
    const id = await idOf([check(1, 'success', 1), check(2, 'failure', 2)]);
    expect(id).to.match(/^c0ffee:[0-9a-f]{16}$/);
    expect(await idOf([check(2, 'failure', 2), check(1, 'success', 1)])).to.equal(id);
    expect(await idOf([check(1, 'success', 1), check(3, 'success', 3)])).not.to.equal(id);
    expect(await idOf([check(1, 'success', 1), check(2, 'success', 2)])).not.to.equal(id);
  });

  it('are unchanged when GitHub says so, and not news when they ended before', async () => {
    answersGet({ path: CHECKS_PATH, query: checksQuery(), status: 304, validator: '"c1"' });
    const request = { ...ALL, validator: '"c1"' };
    expect(await reader.testRuns(accessOf(), REPOSITORY, 'checks', request)).to.deep.include({ unchanged: true });
    answeredHere([check(1, 'success', 1)]);
    expect((await read({ ...ALL, since: Date.parse('2026-02-01T09:02:00Z') })).rows).to.deep.equal([]);
  });

  it('are all counted, further pages by commit and without a validator', async () => {
    const full = Array.from({ length: 100 }, (_, index) => check(index, 'success', 1));
    answeredHere(full, { link: '<https://api.github.com/x?page=2>; rel="next"' });
    answeredChecks([check(100, 'failure', 2)], {}, `/repos/acme/shop/commits/${SHA}/check-runs`, 2);
    const { rows, validator } = await read();
    expect(rows[0]).to.deep.include({ passed: 100, failed: 1 });
    expect(validator).to.equal(null);
  });

  it('are not read in part when GitHub refuses a further page: one of the others may have failed', async () => {
    const full = Array.from({ length: 100 }, (_, index) => check(index, 'success', 1));
    for (const status of [409, 422]) {
      answeredHere(full, { link: '<https://api.github.com/x?page=2>; rel="next"' });
      answersOddly(`/repos/acme/shop/commits/${SHA}/check-runs`, status, '{"message":"No commit found"}');
      const asked = reader.testRuns(accessOf(), REPOSITORY, 'checks', ALL);
      expect(await failureOf(asked)).to.include({ code: 'host-unavailable', cause: 'server_error' });
    }
  });

  it('are none when there are more than are read: one of the others may have failed', async () => {
    const page = (number: number) =>
      Array.from({ length: 100 }, (_, index) => check(100 * number + index, 'success', 1));
    const more = { link: '<https://api.github.com/x?page=next>; rel="next"' };
    const answerPages = (last: Record<string, string>) => {
      answeredHere(page(1), more);
      const path = `/repos/acme/shop/commits/${SHA}/check-runs`;
      for (let number = 2; number <= 20; number += 1)
        answeredChecks(page(number), number < 20 ? more : last, path, number);
    };
    answerPages({});
    expect((await read()).rows[0]).to.deep.include({ passed: 2000 });
    answerPages(more);
    expect((await read()).rows).to.deep.equal([]);
  });

  it('are not those of another repository that has taken the path', async () => {
    answeredChecks([check(1, 'success', 1)]);
    identified(5);
    const asked = reader.testRuns(accessOf(), REPOSITORY, 'checks', ALL);
    expect(await failureOf(asked)).to.include({ code: 'not-found' });
  });

  it('are none of a repository without a commit or without that branch', async () => {
    for (const status of [409, 422]) {
      answersOddly(CHECKS_PATH, status, '{"message":"No commit found for SHA: heads/main"}');
      expect(await read()).to.deep.include({ rows: [], next: null, validator: null });
    }
  });
});

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
  event: 'push',
  conclusion: 'success',
  head_sha: 'c0ffee',
  html_url: `https://github.com/acme/shop/actions/runs/${id}`,
  check_suite_node_id: `CS_${id}`,
  run_started_at: '2026-02-01T08:59:00Z',
  updated_at: '2026-02-01T10:00:00Z',
  repository: { ...(RUN?.repository as object), id: 1296269 },
  head_repository: { ...(RUN?.head_repository as object), id: 1296269 },
  ...parts,
});
const job = (id: string, conclusion: string | null, minute: number | null, status = 'COMPLETED') => ({
  id,
  status,
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
  const { reader } = hostAt();
  const read = async (request = ALL) => {
    const reading = await reader.testRuns(accessOf(), REPOSITORY, 'workflows', request);
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

    // GitHub may list a run after a later one that was read before.
    answeredRuns([run(40, 1, { updated_at: '2026-02-01T09:04:02Z' })]);
    answersQuery({ nodes: [suite(40, [job('c', 'FAILURE', 4)])] });
    expect((await read({ ...ALL, since })).rows.map(({ id }) => id)).to.deep.equal(['40.1']);

    answeredRuns([run(5, 1, { updated_at: '2026-01-01T00:00:00Z' })], NEXT, 2);
    const last = await read({ ...ALL, since, page: first.next });
    expect(last).to.deep.include({ rows: [], next: null, validator: null });
  });

  it('are only those of the branch itself: no fork, pull request, issue or comment starts one that counts', async () => {
    const own = run(1, 1, { conclusion: 'failure' });
    const others = [
      { head_repository: { ...(RUN?.head_repository as object), id: 7 } },
      ...['pull_request', 'pull_request_target', 'workflow_run', 'issue_comment', 'issues', 'a_word_of_tomorrow'].map(
        (event) => ({
          event,
        }),
      ),
    ].map((parts, place) => run(20 - place, 1, parts));
    answeredRuns([...others, own]);
    const asked = answersQuery({ nodes: [suite(1, [job('a', 'FAILURE', 1)])] });
    expect((await read()).rows.map(({ id, failed }) => [id, failed])).to.deep.equal([['1.1', 1]]);
    expect(asked[0]?.variables).to.deep.equal({ ids: ['CS_1'] });

    // The fork was deleted since.
    answersOddly(RUNS_PATH, 200, JSON.stringify({ workflow_runs: [run(1, 1, { head_repository: null })] }));
    expect((await read()).rows).to.deep.equal([]);

    answeredRuns(others, NEXT);
    const first = await read();
    expect(first.rows).to.deep.equal([]);
    answeredRuns([own], {}, 2);
    answersQuery({ nodes: [suite(1, [job('a', 'FAILURE', 1)])] });
    expect((await read({ ...ALL, page: first.next })).rows.map(({ id }) => id)).to.deep.equal(['1.1']);
  });

  it('count a failure at least where the run did not end well, also when no job shows it', async () => {
    const counted = async (conclusion: string | null, jobs: readonly unknown[] | null) => {
      answeredRuns([run(1, 1, { conclusion })]);
      answersQuery({ nodes: [jobs === null ? null : suite(1, jobs)] });
      return (await read()).rows.map(({ passed, failed, skipped, ranAt }) => [passed, failed, skipped, ranAt]);
    };
    const at = Date.parse('2026-02-01T09:01:00Z');
    const started = Date.parse('2026-02-01T08:59:00Z');
    const passed = job('a', 'SUCCESS', 1);
    for (const conclusion of ['failure', 'timed_out', 'action_required', 'a_word_of_tomorrow', null]) {
      expect(await counted(conclusion, [passed]), `${conclusion}`).to.deep.equal([[1, 1, 0, at]]);
      for (const none of [[], null])
        expect(await counted(conclusion, none), `${conclusion}`).to.deep.equal([[0, 1, 0, started]]);
    }
    expect(await counted('startup_failure', [])).to.deep.equal([[0, 1, 0, started]]);
    expect(await counted('failure', [passed, job('b', 'FAILURE', 1)])).to.deep.equal([[1, 1, 0, at]]);
    expect(await counted('neutral', [passed])).to.deep.equal([[1, 0, 0, at]]);
  });

  it('say nothing where the run was given up before anything failed, and while a job runs again', async () => {
    const counted = async (conclusion: string, jobs: readonly unknown[]) => {
      answeredRuns([run(1, 1, { conclusion })]);
      answersQuery({ nodes: [suite(1, jobs)] });
      return (await read()).rows.map(({ passed, failed, skipped }) => [passed, failed, skipped]);
    };
    const [passed, canceled, failed] = [job('a', 'SUCCESS', 1), job('b', 'CANCELLED', 2), job('c', 'FAILURE', 3)];
    for (const conclusion of ['cancelled', 'skipped', 'stale']) {
      expect(await counted(conclusion, [passed, canceled]), conclusion).to.deep.equal([]);
      expect(await counted(conclusion, [passed, canceled, failed]), conclusion).to.deep.equal([[1, 1, 1]]);
    }
    for (const status of ['IN_PROGRESS', 'QUEUED'])
      expect(await counted('failure', [passed, job('d', null, null, status)]), status).to.deep.equal([]);
  });

  it('are not those of another repository that has taken the path', async () => {
    const repository = { ...(RUN?.repository as object), id: 5 };
    answeredRuns([run(1, 1, { repository })]);
    const asked = reader.testRuns(accessOf(), REPOSITORY, 'workflows', ALL);
    expect(await failureOf(asked)).to.include({ code: 'not-found' });
  });

  it('are unchanged when GitHub says so', async () => {
    answersGet({ path: RUNS_PATH, query: runsQuery(), status: 304, validator: '"w1"' });
    const request = { ...ALL, validator: '"w1"' };
    expect(await reader.testRuns(accessOf(), REPOSITORY, 'workflows', request)).to.deep.include({
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

  it('are asked for their jobs 25 at a time, with the smallest budget of all answers', async () => {
    answeredRuns(Array.from({ length: 60 }, (_, index) => run(index + 1, index + 1)));
    const suites = Array.from({ length: 60 }, (_, index) => suite(index + 1, [job(`j${index}`, 'SUCCESS', 1)]));
    const asked = [suites.slice(0, 25), suites.slice(25, 50), suites.slice(50)].map((nodes, place) =>
      answersQuery({ nodes }, { headers: { 'x-ratelimit-remaining': String(100 + place) } }),
    );
    const { rows, budget } = await read();
    expect(rows.map(({ id }) => id)).to.deep.equal(Array.from({ length: 60 }, (_, index) => `${index + 1}.1`));
    expect(budget).to.include({ remaining: 100 });
    const idsOf = (place: number) => asked[place]?.[0]?.variables.ids as readonly string[];
    expect([0, 1, 2].map((place) => idsOf(place).length)).to.deep.equal([25, 25, 10]);
    expect(idsOf(2)[0]).to.equal('CS_51');
  });

  it('are completed when their jobs do not fit a page', async () => {
    answeredRuns([run(1, 1)]);
    answersQuery({ nodes: [{ ...suite(1, []), checkRuns: begun([job('a', 'SUCCESS', 1)], 'c1') }] });
    const rest = answersQuery({ nodes: [suite(1, [job('b', 'FAILURE', 2)])] });
    expect((await read()).rows[0]).to.deep.include({ passed: 1, failed: 1 });
    expect(rest[0]?.variables).to.deep.equal({ ids: ['CS_1'], after: 'c1' });
  });
});

const conclusions = fc.array(
  fc.record({
    id: fc.string(),
    conclusion: fc.option(fc.constantFrom('success', 'FAILURE', 'timed_out', 'cancelled', 'STALE', 'new_word')),
    completedAt: fc.nat(),
  }),
  { minLength: 1 },
);

describe('the verdict of checks', () => {
  it('takes a conclusion that it does not know for a failure', () => {
    const ended = (conclusion: string | null) => ({ id: '1', conclusion, completedAt: 1 });
    for (const unknown of ['a_word_of_tomorrow', '', null])
      expect(conclusionCounts([ended('success'), ended(unknown)]), `${unknown}`).to.include({ passed: 1, failed: 1 });
    expect(conclusionCounts([ended('STALE'), ended('neutral')])).to.include({ passed: 0, failed: 0, skipped: 2 });
  });

  it('counts each check once and ends with the last one', () => {
    fc.assert(
      fc.property(conclusions, (checks) => {
        const counts = conclusionCounts(checks);
        if (counts === undefined) throw new Error('there are no counts');
        expect(counts.passed + counts.failed + counts.skipped).to.equal(checks.length);
        expect(counts.ranAt).to.equal(Math.max(...checks.map(({ completedAt }) => completedAt)));
        expect(counts.passed).to.equal(checks.filter(({ conclusion }) => conclusion === 'success').length);
      }),
    );
  });

  it('does not exist without a check', () => {
    expect(conclusionCounts([])).to.equal(undefined);
  });

  it('is named the same in any order, and otherwise when anything differs', () => {
    fc.assert(
      fc.property(conclusions, ([first, ...rest]) => {
        if (first === undefined) return;
        expect(digestOf([...rest, first])).to.equal(digestOf([first, ...rest]));
        expect(digestOf([{ ...first, completedAt: first.completedAt + 1 }, ...rest])).not.to.equal(
          digestOf([first, ...rest]),
        );
      }),
    );
  });
});
