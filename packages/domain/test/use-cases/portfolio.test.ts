import { expect } from 'chai';
import fc from 'fast-check';
import type { PageKey } from '../../src/page.js';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import { recordHistory } from '../../src/use-cases/history.js';
import { addIssue } from '../../src/use-cases/issue.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { type PortfolioFilter, type PortfolioOrder, readPortfolio } from '../../src/use-cases/portfolio.js';
import { archiveProject, createProject } from '../../src/use-cases/project.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { activateRelease, createRelease } from '../../src/use-cases/release.js';
import { archiveTeam, createTeam } from '../../src/use-cases/team.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { DAY, withRoles } from './world.js';

const nothingKept = () => ({ standings: new Map(), trends: new Map() });

const ALL: PortfolioFilter = { decision: null, teamId: null, silent: null, text: '' };

const read = (here: ReleaseScene, asked: Partial<Parameters<typeof readPortfolio>[2]> = {}) =>
  readPortfolio(here, nothingKept(), { principal: here.viewer.principal, ...asked });

const namesOf = (reading: Awaited<ReturnType<typeof read>>): readonly string[] =>
  reading.rows.map(({ project }) => project.name);

describe('Reading the portfolio', () => {
  it('lists every project in sight with its active release, score, decision, trend and last reports', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here);
    const { deployment } = await deployed(here);
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    const {
      rows: [row, ...others],
      next,
    } = await read(here);
    expect(others).to.deep.equal([]);
    expect(next).to.equal(null);
    expect(row?.team).to.deep.equal({ id: here.teamId, name: 'Payments', slug: 'payments', demo: false });
    expect(row?.project).to.deep.equal({ id: here.project.id, name: 'Shop', slug: 'shop' });
    expect(row?.lastDeploymentAt).to.equal(deployment.createdAt);
    expect(row?.lastTestRunAt).to.equal(testRun.recordedAt);
    expect(row?.active?.release).to.deep.equal({ id: here.release.id, name: '1.0' });
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    expect(row?.active?.standing).to.include({
      asOf: report.asOf,
      score: report.score,
      coverage: report.coverage,
      decision: report.gate.decision,
      openReasons: report.gate.reasons.length,
    });
    expect(row?.active?.standing.reason).to.deep.equal(report.gate.reasons[0]);
    expect(row?.active?.trend).to.deep.equal([{ at: report.asOf, score: report.score }]);
  });
  it('lists projects without an active release or report, in order of their names', async () => {
    const here = await releaseScene();
    for (const name of ['Zoo', 'Abacus']) await createProject(here, { by: here.member, teamId: here.teamId, name });
    await planned(here, '2.0');
    const { rows } = await read(here);
    expect(rows.map((row) => row.project.name)).to.deep.equal(['Abacus', 'Shop', 'Zoo']);
    expect(rows.map((row) => row.active === null)).to.deep.equal([true, false, true]);
    expect(rows[0]).to.include({ lastDeploymentAt: null, lastTestRunAt: null, lastAxisReportAt: null });
  });
  it('neither shows nor counts what is archived', async () => {
    const here = await releaseScene();
    const archived = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Zoo' });
    await archiveProject(here, { by: here.owner, teamId: here.teamId, projectId: archived.id });
    const { rows, total, counts } = await read(here);
    expect(rows.map(({ project }) => project.name)).to.deep.equal(['Shop']);
    expect([total, counts.none]).to.deep.equal([1, 0]);
    await archiveTeam(here, { by: here.owner, teamId: here.teamId });
    expect(await read(here)).to.deep.include({ rows: [], total: 0, teams: [] });
  });
  it('shows nothing out of sight', async () => {
    const here = await releaseScene();
    expect(await read(here, { principal: here.stranger.principal })).to.deep.equal({
      rows: [],
      next: null,
      total: 0,
      counts: { go: 0, hold: 0, unknown: 0, none: 0 },
      teams: [],
    });
  });
});

/**
 * Two teams: `Payments` with Shop (hold), `billing` (unknown), `Älpha` and `alpha two` (none), and `Accounts` with
 * `ledger` (none). Shop was deployed 9 days ago and tested now.
 */
const manyScene = async (): Promise<ReleaseScene & { readonly accountsId: string }> => {
  const here = await releaseScene();
  await deployed(here, { status: 'failure' });
  here.time.now += 9 * DAY;
  await tested(here, { total: 4, passed: 1, failed: 3 });
  const add = (teamId: string, name: string) => createProject(here, { by: here.owner, teamId, name });
  const billing = await add(here.teamId, 'billing');
  const there = { teamId: here.teamId, projectId: billing.id };
  const { id: releaseId } = await createRelease(here, {
    by: here.member,
    ...there,
    name: '7.0',
    startsAt: null,
    targetAt: null,
  });
  await activateRelease(here, { by: here.member, ...there, releaseId, current: null });
  const policy = { ...DEFAULT_POLICY, weights: { scope: 0, quality: 0, ops: 0, verification: 1, stability: 0 } };
  await changePolicy(here, { by: here.owner, ...there, policy, version: 1 });
  for (const name of ['Älpha', 'alpha two']) await add(here.teamId, name);
  const accounts = await createTeam(here, { by: here.owner, name: 'Accounts' });
  const owner = withRoles(here.owner, { [here.teamId]: 'owner', [accounts.id]: 'owner' });
  await createProject(here, { by: owner, teamId: accounts.id, name: 'ledger' });
  return { ...here, viewer: owner, accountsId: accounts.id };
};

describe('The filters of the portfolio', () => {
  it('count by decision what all but the decision let through, and by team what all but the team do', async () => {
    const here = await manyScene();
    const all = await read(here);
    expect(all.total).to.equal(5);
    expect(all.counts).to.deep.equal({ hold: 1, unknown: 1, go: 0, none: 3 });
    expect(all.teams).to.deep.equal([
      { team: { id: here.accountsId, name: 'Accounts' }, projects: 1 },
      { team: { id: here.teamId, name: 'Payments' }, projects: 4 },
    ]);
    const none = await read(here, { filter: { ...ALL, decision: 'none', teamId: here.teamId } });
    expect(namesOf(none)).to.deep.equal(['alpha two', 'Älpha']);
    expect(none.total).to.equal(5);
    expect(none.counts).to.deep.equal({ hold: 1, unknown: 1, go: 0, none: 2 });
    expect(none.teams.map(({ team, projects }) => [team.name, projects])).to.deep.equal([
      ['Accounts', 1],
      ['Payments', 2],
    ]);
    expect(namesOf(await read(here, { filter: { ...ALL, decision: 'hold' } }))).to.deep.equal(['Shop']);
    expect(namesOf(await read(here, { filter: { ...ALL, teamId: here.stranger.principal.userId } }))).to.deep.equal([]);
  });

  it('find every word of the text in the names of project and team, in any case', async () => {
    const here = await manyScene();
    const find = async (text: string) => namesOf(await read(here, { filter: { ...ALL, text } }));
    expect(await find('ALPHA')).to.deep.equal(['alpha two']);
    expect(await find('älp')).to.deep.equal(['Älpha']);
    expect(await find('  two   pay ')).to.deep.equal(['alpha two']);
    expect(await find('accounts')).to.deep.equal(['ledger']);
    expect(await find('%')).to.deep.equal([]);
    expect(await find('two nothing')).to.deep.equal([]);
  });

  it('find projects with a silent source', async () => {
    const here = await manyScene();
    const silent = async (source: PortfolioFilter['silent']) =>
      namesOf(await read(here, { filter: { ...ALL, silent: source } }));
    expect(await silent('any')).to.deep.equal([]);
    const policy = { ...DEFAULT_POLICY, silenceHours: 8 * 24 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    expect(await silent('any')).to.deep.equal(['Shop']);
    expect(await silent('deployments')).to.deep.equal(['Shop']);
    expect(await silent('test_runs')).to.deep.equal([]);
    here.time.now += 9 * DAY;
    expect(await silent('test_runs')).to.deep.equal(['Shop']);
  });
});

const ordered = (by: PortfolioOrder['by'], descending = false, grouped = false): PortfolioOrder => ({
  by,
  descending,
  grouped,
});

describe('The order of the portfolio', () => {
  it('is by names in any case, decision, score and last report; what has none comes last either way', async () => {
    const here = await manyScene();
    const names = async (order: PortfolioOrder) => namesOf(await read(here, { order }));
    expect(await names(ordered('team'))).to.deep.equal(['ledger', 'alpha two', 'billing', 'Shop', 'Älpha']);
    expect(await names(ordered('team', true))).to.deep.equal(['alpha two', 'billing', 'Shop', 'Älpha', 'ledger']);
    expect(await names(ordered('project'))).to.deep.equal(['alpha two', 'billing', 'ledger', 'Shop', 'Älpha']);
    expect(await names(ordered('project', true))).to.deep.equal(['Älpha', 'Shop', 'ledger', 'billing', 'alpha two']);
    expect(await names(ordered('decision'))).to.deep.equal(['Shop', 'billing', 'ledger', 'alpha two', 'Älpha']);
    expect(await names(ordered('decision', true))).to.deep.equal(['billing', 'Shop', 'ledger', 'alpha two', 'Älpha']);
    expect((await names(ordered('score')))[0]).to.equal('Shop');
    expect((await names(ordered('score', true)))[0]).to.equal('Shop');
    expect((await names(ordered('reported'))).at(-1)).to.equal('Shop');
    expect((await names(ordered('reported', true)))[0]).to.equal('Shop');
    expect(await names(ordered('decision', false, true))).to.deep.equal([
      'ledger',
      'Shop',
      'billing',
      'alpha two',
      'Älpha',
    ]);
  });

  it('is the same over pages of any size, each project once', async () => {
    const here = await manyScene();
    for (const by of ['team', 'project', 'decision', 'score', 'reported'] as const)
      for (const descending of [false, true])
        for (const grouped of [false, true]) {
          const order = ordered(by, descending, grouped);
          const whole = namesOf(await read(here, { order }));
          for (const limit of [1, 2, 4, 5]) {
            const seen: string[] = [];
            let after: PageKey | null = null;
            do {
              const page = await read(here, { order, page: { limit, after } });
              expect(page.rows.length).to.be.at.most(limit);
              expect(page.counts).to.deep.equal({ hold: 1, unknown: 1, go: 0, none: 3 });
              seen.push(...namesOf(page));
              after = page.next;
            } while (after !== null);
            expect(seen, `${JSON.stringify(order)} ${limit}`).to.deep.equal(whole);
          }
        }
  });

  it('goes on behind a project that has moved, or is gone, since', async () => {
    const here = await manyScene();
    const order = ordered('project');
    const { next: after } = await read(here, { order, page: { limit: 2, after: null } });
    await createProject(here, { by: here.owner, teamId: here.teamId, name: 'aaa' });
    await createProject(here, { by: here.owner, teamId: here.teamId, name: 'cart' });
    expect(namesOf(await read(here, { order, page: { limit: 2, after } }))).to.deep.equal(['cart', 'ledger']);
    const gone = [...(after ?? [])].map((part) => (part === 'billing' ? 'bill' : part));
    const page = { limit: 2, after: gone };
    expect(namesOf(await read(here, { order, page }))).to.deep.equal(['billing', 'cart']);
  });

  it('has page keys that stay short for any names', async () => {
    const here = await releaseScene();
    const names = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom('\u{1f600}', 'ß', 'İ', 'a'), minLength: 200, maxLength: 200 }),
      {
        minLength: 2,
        maxLength: 2,
        comparator: 'IsStrictlyEqual',
      },
    );
    await fc.assert(
      fc.asyncProperty(names, async ([one = '', other = '']) => {
        const team = await createTeam(here, { by: here.owner, name: one });
        const owner = withRoles(here.owner, { [team.id]: 'owner' });
        for (const name of [one, other]) await createProject(here, { by: owner, teamId: team.id, name });
        const asked = { principal: owner.principal, order: ordered('project', false, true) };
        const { next } = await read(here, { ...asked, page: { limit: 1, after: null } });
        // A cursor of the interface has 2,000 characters at most, in base64 with 16 bytes before.
        expect(Buffer.byteLength(JSON.stringify(next))).to.be.within(1, 1480);
      }),
      { numRuns: 5 },
    );
  });
});

describe('The queries of the portfolio', () => {
  it('read trends and last reports of the page alone, unless the order needs those of all', async () => {
    const here = await manyScene();
    const { stores, calls } = counted(here.stores);
    const ask = async (asked: Partial<Parameters<typeof readPortfolio>[2]>) => {
      const principal = here.viewer.principal;
      const asks: (readonly string[])[] = [];
      const deployments = {
        ...stores.deployments,
        lastReported: (ids: readonly string[]) => {
          asks.push(ids);
          return stores.deployments.lastReported(ids);
        },
      };
      calls.length = 0;
      await readPortfolio({ ...here, stores: { ...stores, deployments } }, nothingKept(), { principal, ...asked });
      return { reported: asks.map((ids) => ids.length), calls: new Set(calls) };
    };
    const page = { limit: 2, after: null };
    const few = await ask({ page });
    expect(few.reported).to.deep.equal([2]);
    expect((await ask({})).reported).to.deep.equal([5]);
    const all = await ask({ page, order: ordered('reported') });
    expect(all.reported).to.deep.equal([5]);
    expect(all.calls).to.deep.equal(few.calls);
  });
});

describe('The reason to begin with', () => {
  const standingUnder = async (here: ReleaseScene, over: Partial<Policy>) => {
    const { version } = await here.stores.policies.current(here.project.id).then((known) => known ?? { version: 1 });
    const policy = { ...DEFAULT_POLICY, ...over };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version });
    const [row] = (await read(here)).rows;
    return row?.active?.standing;
  };
  const WEIGHTS = { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 } as const;
  const NO_MINIMUMS = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 } as const;

  it('is the axis that misses its minimum by most, not the score it makes low', async () => {
    const here = await releaseScene();
    await tested(here, { total: 10, passed: 4, failed: 6 });
    await deployed(here, { status: 'failure' });
    const minimums = { ...NO_MINIMUMS, verification: 90, stability: 95 };
    const standing = await standingUnder(here, { weights: WEIGHTS, threshold: 80, minimums });
    expect(standing?.reason?.code).to.equal('score_below_threshold');
    expect(standing?.mainReason).to.include({ code: 'axis_below_minimum', axis: 'stability' });
    expect(standing?.openReasons).to.be.at.least(3);
  });

  it('is open critical bugs before a low score', async () => {
    const here = await releaseScene();
    const issue = { title: 'Crash', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
    await addIssue(here, { by: here.member, ...here.there, issue: { ...issue, releaseId: here.release.id } });
    const over = { weights: WEIGHTS, threshold: 80, minimums: NO_MINIMUMS, maxOpenCriticalBugs: 0 };
    expect((await standingUnder(here, over))?.mainReason?.code).to.equal('open_critical_bugs');
  });

  it('is a low score with the axis that costs most of it, by its weight', async () => {
    const here = await releaseScene();
    await tested(here, { total: 10, passed: 4, failed: 6 });
    await deployed(here, { status: 'failure' });
    const over = { threshold: 80, minimums: NO_MINIMUMS };
    const even = await standingUnder(here, { ...over, weights: WEIGHTS });
    expect(even?.mainReason?.message).to.match(/^The score is [\d.]+, below the threshold of 80; .+ at 0 costs most$/);
    const heavy = await standingUnder(here, { ...over, weights: { ...WEIGHTS, verification: 10 } });
    expect(heavy?.mainReason?.message).to.match(/; Verification at 40 costs most$/);
    expect(heavy?.reason?.message).not.to.contain('costs most');
  });

  it('is what is not measured where nothing measured fails, and nothing for a go', async () => {
    const here = await releaseScene();
    const weights = { ...NO_MINIMUMS, verification: 1 };
    const over = { threshold: 0, minimums: NO_MINIMUMS, weights };
    const standing = await standingUnder(here, { ...over, requiredAxes: ['verification'] });
    expect(standing?.decision).to.equal('unknown');
    expect(standing?.mainReason).to.include({ code: 'axis_unmeasured', axis: 'verification' });
    await tested(here);
    const go = await standingUnder(here, { ...over, requiredAxes: ['verification'] });
    expect([go?.decision, go?.mainReason, go?.openReasons]).to.deep.equal(['go', null, 0]);
  });
});
