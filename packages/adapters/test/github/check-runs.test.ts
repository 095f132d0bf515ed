import { expect } from 'chai';
import { publishedExample } from './published-interface.js';
import {
  ALL,
  accessOf,
  answersGet,
  answersOddly,
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
  const { repositories } = hostAt();
  const answeredHere = (...answer: Parameters<typeof answeredChecks>) => {
    answeredChecks(...answer);
    identified();
  };
  const read = async (request = ALL) => {
    const reading = await repositories.testRuns(accessOf(), REPOSITORY, 'checks', request);
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
    expect(await repositories.testRuns(accessOf(), REPOSITORY, 'checks', request)).to.deep.include({ unchanged: true });
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

  it('are not those of another repository that has taken the path', async () => {
    answeredChecks([check(1, 'success', 1)]);
    identified(5);
    const asked = repositories.testRuns(accessOf(), REPOSITORY, 'checks', ALL);
    expect(await failureOf(asked)).to.include({ code: 'not-found' });
  });

  it('are none of a repository without a commit or without that branch', async () => {
    for (const status of [409, 422]) {
      answersOddly(CHECKS_PATH, status, '{"message":"No commit found for SHA: heads/main"}');
      expect(await read()).to.deep.include({ rows: [], next: null, validator: null });
    }
  });
});
