import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { connect } from '../harness/approval.js';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { PAY, SHOP } from '../harness/test-host.js';

const DAY = 86_400_000;

/** The repository is linked, and no import runs meanwhile. */
const linkedStage = async (stage: Stage) => {
  await connect(stage.browser);
  const { stores, clock } = stage.service.ports;
  const connection = await stores.hostConnections.of(stage.ada.user.id, stage.forge.host.name);
  if (connection === undefined) return expect.fail('There is no connection.');
  const paused = { pausedUntil: clock() + DAY, version: connection.version + 1 };
  await stores.hostConnections.put({ ...connection, ...paused });
  await stage.browser.ok('linkRepository', { path: stage.inProject, body: { repository: SHOP.path } });
  return stage;
};

onEveryStore('what the repository host sends', (open) => {
  const stage = useFreshStage(open);

  it('makes the linked repository due, once however often it is sent', async () => {
    const { service, forge, project } = await linkedStage(stage());
    const { anonymous, ports } = service;
    service.clock.pass(-1);
    const dueAt = async () =>
      (await ports.stores.repositoryLinks.ofProject(project.id))?.state.dueAt ?? expect.fail('There is no link.');
    const before = await dueAt();
    const sent = forge.delivery(SHOP.id);
    const first = (await anonymous.ok('receiveHook', sent)).body.data;
    expect(first).to.deep.equal({ accepted: true, repeated: false });
    expect(await dueAt())
      .to.equal(service.clock.read())
      .and.be.below(before);
    const again = (await anonymous.ok('receiveHook', sent)).body.data;
    expect(again).to.deep.equal({ accepted: false, repeated: true });
  });

  it('is taken of a repository that nobody linked, and does nothing', async () => {
    const { service, forge } = await linkedStage(stage());
    const { data } = (await service.anonymous.ok('receiveHook', forge.delivery(PAY.id))).body;
    expect(data).to.deep.equal({ accepted: false, repeated: false });
  });

  it('is refused unless it was signed with the secret of its own repository', async () => {
    const { service, forge } = await linkedStage(stage());
    const { anonymous } = service;
    const { rawBody, headers } = forge.delivery(SHOP.id);
    const refused = await anonymous.refused('receiveHook', 'wrong-signature', { rawBody });
    expect(refused.status).to.equal(401);
    const ofPay = forge.delivery(PAY.id).headers;
    await anonymous.refused('receiveHook', 'wrong-signature', { rawBody, headers: ofPay });
    await anonymous.refused('receiveHook', 'wrong-signature', { rawBody: `${rawBody} `, headers });
    expect((await anonymous.ok('receiveHook', { rawBody, headers })).body.data.repeated).to.equal(false);
  });

  it('is refused when it is no delivery', async () => {
    const { service, forge } = stage();
    const { anonymous } = service;
    const { rawBody, headers } = forge.delivery(SHOP.id);
    await anonymous.refused('receiveHook', 'invalid', { rawBody: '{"repository":', headers });
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    await anonymous.refused('receiveHook', 'unsupported-media-type', { rawBody, headers: form });
    await anonymous.refused('receiveHook', 'body-too-large', { rawBody: 'x'.repeat(2_097_153), headers });
    await anonymous.refused('receiveHook', 'malformed-json');
  });

  it('is taken once of many at the same time', async () => {
    const { service, forge } = await linkedStage(stage());
    const sent = forge.delivery(SHOP.id, randomUUID());
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.anonymous.ok('receiveHook', sent)));
    expect(answers.filter(({ body }) => !body.data.repeated)).to.have.length(1);
  });
});

describe('another repository host', () => {
  const stage = useFreshStage(undefined, 'gitlab');

  it('stands in the paths under its own name, in routes, documents and pages, and the other name is gone', async () => {
    const { browser, service, forge, inProject: path } = await linkedStage(stage());
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(true);
    const { url } = (await browser.ok('readRepositoryWebhook', { path })).body.data;
    expect(url).to.equal(`${service.baseUrl}/api/hooks/gitlab`);
    expect((await service.anonymous.ok('receiveHook', forge.delivery(SHOP.id))).body.data.accepted).to.equal(true);
    const textAt = async (at: string) => (await fetch(service.baseUrl + at)).text();
    for (const at of ['/api/openapi.json', '/api/docs', '/api/docs/problems/host-unavailable'])
      expect(await textAt(at), at)
        .to.contain('/api/settings/gitlab')
        .and.not.contain('/api/settings/github');
    expect((await fetch(`${service.baseUrl}/api/settings/github`)).status).to.equal(404);
  });
});
