import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const STRANGE = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

onEveryStore('badges', (open) => {
  const stage = useFreshStage(open);
  const show = async () => {
    const { data } = (await stage().browser.ok('showBadge', { path: stage().inProject })).body;
    return { ...data, sent: { path: stage().inProject, query: { token: data.token } } };
  };

  it('show the active release to whoever has the token, as image and for shields.io', async () => {
    const { service, inProject, browser, inRelease } = stage();
    const { token, svg_url, json_url, sent } = await show();
    const at = `${service.baseUrl}/api/teams/${inProject.team_id}/projects/${inProject.project_id}`;
    expect([svg_url, json_url]).to.deep.equal([`${at}/badge.svg?token=${token}`, `${at}/badge.json?token=${token}`]);
    const { body, headers } = await service.anonymous.ok('readBadge', sent);
    const { gate, score } = (await browser.ok('readReadiness', { path: inRelease })).body.data;
    const shown = score === null ? '' : ` ${score.toFixed(1)}`;
    const message = `2.4: ${gate.decision}${shown}, 1 of 5 measured`;
    expect(body).to.deep.include({ schemaVersion: 1, label: 'readiness', message });
    expect(headers).to.include({ 'cache-control': 'no-cache' });
    const image = await service.anonymous.ok('readBadgeImage', sent);
    expect(image.text).to.contain(`<title>readiness: ${message}</title>`);
    expect(image.headers).to.include({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml; charset=utf-8' });
    const known = { ...sent, headers: { 'if-none-match': image.headers.etag ?? '' } };
    expect((await service.anonymous.ask('readBadgeImage', known)).status).to.equal(304);
    await browser.ok('cancelRelease', { path: inRelease });
    expect((await service.anonymous.ok('readBadge', sent)).body.message).to.equal('no active release');
    expect((await service.anonymous.ask('readBadgeImage', known)).status).to.equal(200);
  });

  it('are not to be told from an unknown project without the right token', async () => {
    const { service, inProject } = stage();
    const before = await service.anonymous.refused('readBadge', 'not-found', { path: inProject });
    const { sent, token } = await show();
    const query = { token };
    const refusals = [
      { path: inProject },
      { path: inProject, query: { token: `${token}x` } },
      { path: { ...inProject, team_id: STRANGE }, query },
      { path: { ...inProject, project_id: STRANGE }, query },
    ];
    for (const refused of refusals)
      for (const id of ['readBadge', 'readBadgeImage'] as const) {
        const { body } = await service.anonymous.refused(id, 'not-found', refused);
        expect(body.detail).to.equal(before.body.detail);
      }
    for (const path of [
      { ...inProject, team_id: 'payments' },
      { ...inProject, project_id: 'x' },
    ])
      await service.anonymous.refused('readBadge', 'not-found', { path, query });
    expect((await service.anonymous.ok('readBadge', sent)).status).to.equal(200);
  });

  it('get another token, upon which the former one ends, and end', async () => {
    const { service, browser, inProject } = stage();
    const [first, second] = [await show(), await show()];
    await service.anonymous.refused('readBadge', 'not-found', first.sent);
    await service.anonymous.ok('readBadge', second.sent);
    for (let times = 0; times < 2; times += 1) await browser.ok('hideBadge', { path: inProject });
    await service.anonymous.refused('readBadge', 'not-found', second.sent);
    const { text, body } = await browser.ok('listAuditEntries', { path: { team_id: inProject.team_id } });
    const deeds = body.data.map(({ action }) => action).filter((action) => action.startsWith('badge'));
    expect(deeds).to.deep.equal(['badge.hide', 'badge.show', 'badge.show']);
    for (const { token } of [first, second]) expect(text).not.to.contain(token);
  });

  it('are known to be shown, and by whom, without their token', async () => {
    const { browser, inProject: path } = stage();
    const state = async () => (await browser.ok('readBadgeState', { path })).body.data;
    expect(await state()).to.deep.equal({ shown: false, shown_at: null, shown_by: null });
    await show();
    const { shown_at, ...rest } = await state();
    expect(rest).to.deep.equal({ shown: true, shown_by: 'Ada' });
    expect(Date.parse(shown_at ?? '')).to.be.greaterThan(0);
    await browser.ok('hideBadge', { path });
    expect((await state()).shown).to.equal(false);
  });

  it('are for owners to show, in a browser', async () => {
    const { world, team, service, pipeline, inProject: path } = stage();
    const grace = await world.person('Grace');
    await world.member(team, grace, 'member');
    await service.signedIn(grace).refused('showBadge', 'forbidden', { path });
    await service.signedIn(grace).refused('hideBadge', 'forbidden', { path });
    await service.signedIn(grace).refused('readBadgeState', 'forbidden', { path });
    await pipeline.refused('showBadge', 'session-only', { path });
    await service.anonymous.refused('showBadge', 'unauthenticated', { path });
  });
});
