import { randomBytes, randomUUID } from 'node:crypto';
import { gitlabHost } from '@shipworthy/adapters/gitlab';
import * as gitlab from '@shipworthy/adapters/test-gitlab';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { stageWith, until } from '../harness/local-host.js';
import { inSqlite } from '../harness/openings.js';
import type { Stage } from '../harness/stage.js';

describe('a repository at GitLab, from connecting to the score', () => {
  let host: gitlab.GitlabServer;
  let stage: Stage;
  before(async () => {
    host = await gitlab.gitlabServer();
    const { clientId, clientSecret } = host.world;
    stage = await stageWith(
      gitlabHost({ clientId, clientSecret, url: host.url, secretKey: randomBytes(32) }),
      inSqlite,
    );
  });
  after(async () => {
    await host.close();
    await stage.service.close();
  });

  const scope = async () => (await stage.pipeline.ok('readReadiness', { path: stage.inRelease })).body.data.axes[0];
  const counted = (done: number, total: number) => (reading: unknown) =>
    JSON.stringify(reading).includes(`"done":${done},"total":${total}`);

  it('goes the same way under the name of GitLab', async () => {
    const { browser, pipeline, inProject: path } = stage;
    const { world } = host;
    world.redirectUrls.push(`${stage.service.baseUrl}/api/settings/gitlab/callback`);
    const shop = gitlab.addProject(world, 'acme/shop');
    const milestone = gitlab.addMilestone(world, shop, '2.4');
    const closed = { state: 'closed', closed_at: new Date().toISOString() } as const;
    gitlab.addIssue(world, shop, 'Refunds', { milestone, ...closed });
    const open = gitlab.addIssue(world, shop, 'Rounding is off', { milestone, labels: ['bug'] });

    const { url } = (await browser.ok('connectHost')).body.data;
    const back = gitlab.approve(world, url, 'ada');
    expect(back.pathname).to.equal('/api/settings/gitlab/callback');
    await browser.ok('finishHostConnection', { rawQuery: back.search.slice(1) });
    expect((await pipeline.ok('checkHostConnection')).body).to.deep.equal({ status: 'ok', may_write: false });
    const listed = (await browser.ok('listRepositories')).body;
    expect(listed.data.map((repository) => repository.path)).to.deep.equal(['acme/shop']);
    await browser.ok('linkRepository', { path, body: { repository: 'acme/shop', milestones: 'all' } });
    await until(scope, counted(1, 2));

    gitlab.editIssue(world, open, closed);
    const hook = (await browser.ok('readRepositoryWebhook', { path })).body.data;
    const { origin, pathname, search } = new URL(hook.url);
    expect(pathname).to.equal('/api/hooks/gitlab');
    const body = { object_kind: 'issue', project: { id: shop.id }, object_attributes: { id: open.id, iid: open.iid } };
    const headers = {
      'x-gitlab-event': 'Issue Hook',
      'x-gitlab-token': hook.secret,
      'x-gitlab-event-uuid': randomUUID(),
      'idempotency-key': randomUUID(),
    };
    const delivered = await ask(origin, pathname + search, { method: 'POST', body, headers });
    expect(delivered.json).to.deep.equal({ data: { accepted: true, repeated: false } });
    await until(scope, counted(2, 2));
  });
});
