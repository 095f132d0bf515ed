import type { ReadinessReport } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { approveAtHost, type LocalStage, setLocalStage, until } from './harness/local-host.js';
import { inPostgres, inSqlite, type OpenStores } from './harness/openings.js';

const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;
const SHA = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/** Fills acme/shop: milestone 2.4 with four issues, one of them not planned; three deployments, and the checks of main. */
const fill = ({ github: { data } }: LocalStage) => {
  const ago = (days: number) => Date.now() - days * DAY_MS;
  const shop = data.addRepository('acme/shop');
  const milestone = data.addMilestone(shop, { title: '2.4', at: ago(9) });
  const add = (title: string, labels: readonly string[]) =>
    data.addIssue(shop, { title, labels, milestone, at: ago(8) });
  data.editIssue(add('Refunds', ['enhancement']), { state: 'completed', at: ago(3) });
  data.editIssue(add('Old idea', ['enhancement']), { state: 'not_planned', at: ago(3) });
  const bug = add('Rounding is off', ['bug', 'severity: critical']);
  add('Receipts', ['enhancement']);
  data.addIssue(shop, { title: 'Pull request', pullRequest: true, milestone, at: ago(8) });
  for (const [state, days] of [
    ['success', 4],
    ['failure', 3],
    ['success', 2],
  ] as const) {
    const deployment = data.addDeployment(shop, { sha: SHA, at: ago(days) });
    data.addStatus(deployment, 'in_progress', { at: ago(days) + 1000 });
    data.addStatus(deployment, state, { at: ago(days) + 2000 });
  }
  const checks = (['success', 'success', 'cancelled', 'failure'] as const).entries();
  for (const [index, conclusion] of checks)
    data.addCheckRun(shop, { sha: SHA }, { name: `check ${index}`, conclusion, completedAt: ago(1) });
  return { shop, bug };
};

const factsOf = (report: ReadinessReport) =>
  Object.fromEntries(report.axes.map((reading) => [reading.axis, 'facts' in reading ? reading.facts : null]));

const importSuite = (title: string, open: OpenStores): void => {
  describe(`a repository from connecting to the score, ${title}`, () => {
    let stage: LocalStage;
    let filled: ReturnType<typeof fill>;
    before(async () => {
      stage = await setLocalStage(open);
      filled = fill(stage);
      const { browser, inRelease: path } = stage;
      await browser.ok('changeRelease', { path, body: { starts_at: new Date(Date.now() - 7 * DAY_MS).toISOString() } });
    });
    after(() => stage.close());

    const imported = async () =>
      (await stage.pipeline.ok('readRepositoryLink', { path: stage.inProject })).body.data.import;
    const report = async () => (await stage.pipeline.ok('readReadiness', { path: stage.inRelease })).body.data;
    const scope = async () => (await report()).axes[0];
    const ask = () => stage.browser.ok('importIssues', { path: stage.inProject });

    it('connects, checks and links', async () => {
      const { browser, pipeline, inProject: path } = stage;
      await approveAtHost(browser);
      expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'ok', may_write: true });
      const body = { repository: 'acme/shop', milestones: 'all', deployments: true, test_runs: 'checks' } as const;
      const { data } = (await browser.ok('linkRepository', { path, body })).body;
      expect(data.import).to.include({ state: 'waiting', completed_at: null });
    });

    it('imports milestone, issues, deployments and checks, and scores them', async () => {
      const { counts } = await until(imported, ({ state }) => state === 'idle');
      expect(counts).to.include({ milestones: 1, issues: 4, deployments: 3 });
      const { data: release } = (await stage.browser.ok('readRelease', { path: stage.inRelease })).body;
      expect(release.external_id, 'the milestone is the release of its name').to.match(/^github:/);
      const facts = factsOf(await report());
      expect(facts.scope).to.deep.include({ done: 1, total: 3 });
      expect(facts.quality).to.deep.include({ resolved: 0, total: 1 });
      expect(facts.stability).to.deep.include({ succeeded: 2, failed: 1 });
      expect(facts.verification).to.deep.include({ passed: 2, total: 3 });
    });

    it('shows the milestone with its release', async () => {
      const { data } = (await stage.browser.ok('listMilestones', { path: stage.inProject })).body;
      expect(data.map(({ title: name, release_id }) => [name, release_id])).to.deep.equal([['2.4', stage.release.id]]);
    });

    it('leaves imported issues to the host', async () => {
      const { browser, inProject } = stage;
      const { data } = (await browser.ok('listIssues', { path: inProject })).body;
      const issue = data.find(({ title: name }) => name === 'Receipts') ?? expect.fail('It was not imported.');
      const path = { ...inProject, issue_id: issue.id };
      const { body } = await browser.refused('changeIssue', 'kept-by-host', { path, body: { state: 'done' } });
      expect(body.url).to.equal(issue.url);
    });

    it('imports within seconds of a webhook, once for all its repetitions', async () => {
      const { github, browser, inProject: path } = stage;
      const { url, secret } = (await browser.ok('readRepositoryWebhook', { path })).body.data;
      github.data.editIssue(filled.bug, { state: 'completed' });
      const event = { repository: filled.shop, name: 'issues', action: 'closed', issue: filled.bug } as const;
      const target = { to: url, secret, deliveryId: 'one-delivery' };
      expect(await github.deliver(event, { ...target, secret: 'another' })).to.equal(401);
      expect(await github.deliver(event, target)).to.equal(200);
      expect(await github.deliver(event, target)).to.equal(200);
      const reading = await until(scope, (found) => JSON.stringify(found).includes('"done":2'));
      expect(reading).to.have.nested.property('facts.total', 3);
    });

    it('says as of when its issues are known while the host is away, and never blanks the score', async () => {
      const { github } = stage;
      const before = await report();
      await until(imported, ({ state }) => state === 'idle');
      await github.shut();
      try {
        await ask();
        const { failure, completed_at } = await until(imported, ({ state }) => state === 'failing');
        expect(failure).to.include({ code: 'host-unavailable' });
        const stale = await report();
        expect(stale.score).to.equal(before.score);
        expect(stale.axes[0]).to.have.property('as_of', completed_at);
      } finally {
        await github.open();
      }
      await ask();
      await until(imported, ({ state }) => state === 'idle');
      expect((await report()).axes[0]).not.to.have.property('as_of');
    });

    it('asks for nothing but whether something changed when nothing did', async () => {
      const { github } = stage;
      const from = github.requests.all.length;
      const { completed_at: before } = await imported();
      await ask();
      await until(imported, ({ state, completed_at }) => state === 'idle' && completed_at !== before);
      const later = github.requests.all.slice(from);
      expect(later.length).to.be.within(1, 6);
      expect(later.filter(({ status }) => status !== 304)).to.deep.equal([]);
    });

    it('stops, and says so, when the person disconnects', async () => {
      await stage.browser.ok('disconnectHost');
      const { state, message } = await imported();
      expect(state).to.equal('stopped');
      expect(message).to.match(/^Ada has no connection to GitHub any more/);
    });
  });
};

importSuite('on SQLite', inSqlite);
importSuite('on PostgreSQL', inPostgres);
