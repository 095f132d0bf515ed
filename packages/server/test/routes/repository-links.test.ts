import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { connect } from '../harness/approval.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { MILESTONE, PAY, SHOP } from '../harness/test-host.js';

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

  it('answers the link, the same when it is repeated, and to whoever may read', async () => {
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
      url: `${service.baseUrl}/api/hooks/github`,
      secret: 'secret of R_1',
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
