import { operations } from '@shipworthy/client/contract';
import {
  DomainError,
  freshImport,
  type HostConnection,
  type ImportState,
  type LinkedRepository,
} from '@shipworthy/domain';
import { expect } from 'chai';
import { linkSettingsOf, wireMilestone, wireRepositoryLink } from '../../src/routes/repository-links.js';
import { connect } from '../harness/approval.js';
import { expectToFit } from '../harness/contract-check.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { ACCOUNT, MILESTONE, PAY, SHOP } from '../harness/test-host.js';

const BODY = { repository: SHOP.path };

const linkedStage = async (stage: Stage) => {
  await connect(stage.browser);
  await stage.browser.ok('linkRepository', { path: stage.inProject, body: BODY });
  return stage;
};

onEveryStore('linking a repository', (open) => {
  const stage = useFreshStage(open);

  it('takes a connection, a repository it can read and settings the host can give', async () => {
    const { browser, inProject: path, forge } = stage();
    await browser.refused('linkRepository', 'host-not-connected', { path, body: BODY });
    await browser.refused('readRepositoryLink', 'not-found', { path });
    await connect(browser);
    const absent = await browser.refused('linkRepository', 'invalid', { path, body: { repository: 'acme/absent' } });
    expect(absent.body.errors?.map(({ pointer }) => pointer)).to.deep.equal(['/repository']);
    const workflows = { ...BODY, test_runs: 'workflows' } as const;
    await browser.refused('linkRepository', 'invalid', { path, body: workflows });
    for (const repository of ['shop', 'acme/', '/shop', 'acme/sh op', ''])
      await browser.refused('linkRepository', 'invalid', { path, body: { repository } });
    forge.fail(new DomainError('host-unavailable', 'Forge did not answer in time.', { cause: 'timeout' }));
    await browser.refused('linkRepository', 'host-unavailable', { path, body: BODY });
    await browser.refused('readRepositoryLink', 'not-found', { path });
  });

  it('answers the link, the same when it is repeated, and to anyone who may read', async () => {
    const { browser, pipeline, inProject: path } = await linkedStage(stage());
    const body = { ...BODY, milestones: [12], issue_filter: { labels: ['pay'] }, mapping: { bug: ['defect'] } };
    const { data } = (await browser.ok('linkRepository', { path, body })).body;
    expect(data).to.deep.include({
      repository: { id: 'R_1', path: 'acme/shop', url: SHOP.url, default_branch: 'main' },
      host: 'github',
      milestones: [12],
      issue_filter: { labels: ['pay'], path_prefix: null },
      deployments: false,
      test_runs: 'none',
      linked_by: 'Ada',
    });
    expect(data.mapping.bug).to.deep.equal(['defect']);
    const project = (await pipeline.ok('readProject', { path })).body.data;
    expect(project.repository).to.deep.equal({ path: 'acme/shop', url: SHOP.url });
    expect(data.import).to.include({ state: 'waiting', message: null, completed_at: null });
    const again = (await browser.ok('linkRepository', { path, body })).body.data;
    expect(again.mapping).to.deep.equal(data.mapping);
    expect((await pipeline.ok('readRepositoryLink', { path })).body.data.milestones).to.deep.equal([12]);
    const moved = (await browser.ok('linkRepository', { path, body: { repository: PAY.path } })).body.data;
    expect(moved.repository.path).to.equal(PAY.path);
    expect(moved.milestones).to.equal('none');
  });

  it('is undone by unlinking', async () => {
    const { browser, inProject: path } = await linkedStage(stage());
    await browser.ok('unlinkRepository', { path });
    await browser.refused('readRepositoryLink', 'not-found', { path });
    for (const id of ['listMilestones', 'readRepositoryWebhook', 'importIssues'] as const)
      await browser.refused(id, 'not-found', { path });
  });

  it('lets several projects share one repository', async () => {
    const { browser, world, ada, team } = await linkedStage(stage());
    const other = await world.project(ada, team, 'payouts');
    const path = { team_id: team.id, project_id: other.id };
    const { data } = (
      await browser.ok('linkRepository', { path, body: { ...BODY, issue_filter: { path_prefix: 'pay' } } })
    ).body;
    expect(data.repository.id).to.equal(SHOP.id);
  });

  it('says that the import stopped when the connection it reads with is gone or refused', async () => {
    const { browser, inProject: path, forge } = await linkedStage(stage());
    forge.fail(new DomainError('host-rejected', 'Forge refused the connection.'));
    await browser.ok('checkHostConnection');
    const refused = (await browser.ok('readRepositoryLink', { path })).body.data.import;
    expect(refused.state).to.equal('stopped');
    expect(refused.message).to.contain('approve');
    forge.fail(null);
    await browser.ok('disconnectHost');
    const gone = (await browser.ok('readRepositoryLink', { path })).body.data.import;
    expect(gone.state).to.equal('stopped');
    expect(gone.message).to.contain('Ada has no connection');
  });
});

onEveryStore('a linked repository', (open) => {
  const stage = useFreshStage(open);

  it('shows its milestones, page by page, with the release each became', async () => {
    const { browser, inProject: path, forge } = await linkedStage(stage());
    const { body } = await browser.ok('listMilestones', { path });
    expect(body.data).to.deep.equal([
      { id: 'M_1', number: 12, title: '2.5', state: 'open', due_at: null, url: MILESTONE.url, release_id: null },
    ]);
    expect(body.next_cursor).to.equal(null);
    forge.fail(new DomainError('host-unavailable', 'Forge answered a page.', { cause: 'not_json' }));
    await browser.refused('listMilestones', 'host-unavailable', { path });
  });

  it('tells owners what to enter as webhook', async () => {
    const { browser, inProject: path, service } = await linkedStage(stage());
    expect((await browser.ok('readRepositoryWebhook', { path })).body.data).to.deep.equal({
      url: `${service.baseUrl}/api/hooks/github?project_id=${path.project_id}`,
      secret: `secret of R_1 and ${path.project_id}`,
      events: ['issues', 'milestone'],
      content_type: 'application/json',
    });
  });

  it('is imported when a person asks for it', async () => {
    const { browser, inProject: path, service } = await linkedStage(stage());
    await browser.refused('importIssues', 'invalid', { path, rawBody: '{"all": true}' });
    const { data } = (await browser.ok('importIssues', { path })).body;
    expect(Date.parse(data.import.next_at)).to.be.at.most(service.clock.read());
  });
});

const NOW = Date.UTC(2026, 10, 20, 12);
const { private: _, archived: __, ...repository } = SHOP;

const linkedWith = (state: Partial<ImportState> = {}): LinkedRepository => ({
  link: {
    id: 'l',
    projectId: 'p',
    host: 'github',
    userId: 'u',
    repository,
    settings: linkSettingsOf({ repository: SHOP.path }),
    linkedAt: NOW - 1000,
    linkedBy: 'Ada',
  },
  state: {
    ...freshImport('l', NOW + 60_000),
    completedAt: NOW,
    counts: { milestones: 1, issues: 2, deployments: 3, testRuns: 4 },
    ...state,
  },
});

const connection: HostConnection = {
  userId: 'u',
  host: 'github',
  account: ACCOUNT,
  grant: { sealed: 's', expiresAt: null },
  state: 'ok',
  pausedUntil: null,
  connectedAt: NOW,
  version: 1,
};
const source = { host: { title: 'GitHub' }, connection, now: NOW };
const importOf = (linked: LinkedRepository, from: Parameters<typeof wireRepositoryLink>[1] = source) =>
  wireRepositoryLink(linked, from).import;

describe('wireRepositoryLink', () => {
  it('is as the contract says, with nothing of the grant', () => {
    const wire = wireRepositoryLink(linkedWith(), source);
    expectToFit(operations.readRepositoryLink.success.body, { data: wire }, 'the link');
    expect(wire.repository).to.deep.equal({ id: 'R_1', path: 'acme/shop', url: SHOP.url, default_branch: 'main' });
    expect(wire.import.counts).to.deep.equal({ milestones: 1, issues: 2, deployments: 3, test_runs: 4 });
    expect(JSON.stringify(wire)).not.to.contain('sealed');
  });

  it('names the state of the import', () => {
    const failure = { code: 'host-unavailable', message: 'Slow.', at: NOW, attempts: 2 } as const;
    const running = { stage: 'issues', page: null, reading: null, marks: {} } as const;
    expect(importOf(linkedWith()).state).to.equal('idle');
    expect(importOf(linkedWith({ dueAt: NOW })).state).to.equal('waiting');
    expect(importOf(linkedWith({ completedAt: null })).state).to.equal('waiting');
    const started = importOf(linkedWith({ startedAt: NOW, checkpoint: running }));
    expect(started).to.include({ state: 'running', stage: 'issues', started_at: '2026-11-20T12:00:00.000Z' });
    const failing = importOf(linkedWith({ startedAt: NOW, failure }));
    expect(failing.state).to.equal('failing');
    expect(failing.failure).to.deep.equal({ ...failure, at: '2026-11-20T12:00:00.000Z' });
    expect(failing.message).to.equal(null);
  });

  it('is read next when it is due and the host allows it', () => {
    const paused = { ...source, connection: { ...connection, pausedUntil: NOW + 90_000 } };
    expect(importOf(linkedWith()).next_at).to.equal('2026-11-20T12:01:00.000Z');
    expect(importOf(linkedWith(), paused).next_at).to.equal('2026-11-20T12:01:30.000Z');
    expect(importOf(linkedWith(), paused)).to.include({ state: 'idle', message: null });
    const over = { ...source, connection: { ...connection, pausedUntil: NOW - 1 } };
    expect(importOf(linkedWith({ dueAt: NOW }), over)).to.include({ state: 'waiting' });
  });

  it('says until when and why it waits although it is due, also within a run', () => {
    const until = (pausedUntil: number) => ({ ...source, connection: { ...connection, pausedUntil } });
    const message = "Waits until 12:01 UTC: little of the host's budget is left.";
    for (const startedAt of [null, NOW - 1])
      expect(importOf(linkedWith({ dueAt: NOW, startedAt }), until(NOW + 90_000))).to.include({
        ...{ state: 'waiting', message, next_at: '2026-11-20T12:01:30.000Z' },
      });
    const failure = { code: 'host-unavailable', message: 'Slow down.', at: NOW, attempts: 1 } as const;
    const asked = importOf(linkedWith({ failure }), until(NOW + 12 * 3_600_000));
    expect(asked).to.include({
      ...{ state: 'failing', message: 'Waits until 00:00 UTC on 2026-11-21: GitHub asked for it.' },
    });
    expect(importOf(linkedWith({ dueAt: NOW }), until(NOW))).to.include({ state: 'waiting', message: null });
  });

  it('says who has to do what while it is stopped, in every state', () => {
    const linked = linkedWith({ startedAt: NOW });
    const stopped = (from: Partial<typeof source> | { connection: undefined } | { host: null }) => {
      const { state, message } = importOf(linked, { ...source, ...from });
      expect(state).to.equal('stopped');
      return message;
    };
    expect(stopped({ connection: { ...connection, state: 'rejected' } })).to.match(/^GitHub refused .* Ada/);
    expect(stopped({ connection: { ...connection, state: 'revoking' } })).to.match(/^Ada has no connection to GitHub/);
    expect(stopped({ connection: undefined })).to.match(/^Ada has no connection to GitHub/);
    expect(stopped({ host: null })).to.contain('administrator');
  });
});

describe('linkSettingsOf', () => {
  it('imports issues only, all of them, with the usual meanings, unless told', () => {
    expect(linkSettingsOf({ repository: 'acme/shop' })).to.deep.equal({
      filter: { labels: [], pathPrefix: null },
      mapping: { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
      milestones: 'none',
      deployments: false,
      testRuns: 'none',
    });
  });

  it('takes what is sent, and answers it again', () => {
    const sent = {
      repository: 'acme/shop',
      issue_filter: { labels: ['pay'], path_prefix: 'packages/pay' },
      mapping: { bug: ['defect'], in_progress: ['doing'] },
      milestones: [3, 4],
      deployments: true,
      test_runs: 'checks',
    } as const;
    expectToFit(operations.linkRepository.body, sent, 'the request');
    const settings = linkSettingsOf(sent);
    expect(settings.mapping).to.deep.include({ bug: ['defect'], inProgress: ['doing'], minor: [] });
    const linked = linkedWith();
    const wire = wireRepositoryLink({ ...linked, link: { ...linked.link, settings } }, source);
    expect(wire).to.deep.include({
      issue_filter: sent.issue_filter,
      milestones: [3, 4],
      deployments: true,
      test_runs: 'checks',
    });
    expect(wire.mapping).to.deep.include({ bug: ['defect'], in_progress: ['doing'] });
  });
});

describe('wireMilestone', () => {
  it('names the release it became', () => {
    const wire = wireMilestone({ ...MILESTONE, dueAt: NOW, releaseId: null });
    expect(wire).to.include({ number: 12, due_at: '2026-11-20T12:00:00.000Z', release_id: null });
  });
});
