import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('releases', (open) => {
  const stage = useFreshStage(open);

  it('are planned with a checklist, and found at their place', async () => {
    const { browser, pipeline, inProject, project, service } = stage();
    const body = { name: '2.5', starts_at: '2026-11-01T01:00:00+01:00', target_at: '2026-12-01T12:00:00Z' };
    const answer = await browser.ok('createRelease', { path: inProject, body });
    const { data } = answer.body;
    expect(data).to.deep.equal({
      id: data.id,
      project_id: project.id,
      name: '2.5',
      state: 'planned',
      starts_at: '2026-11-01T00:00:00.000Z',
      target_at: '2026-12-01T12:00:00.000Z',
      shipped_at: null,
      canceled_at: null,
      note: null,
      external_id: null,
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
    });
    const place = `/api/teams/${inProject.team_id}/projects/${project.id}/releases/${data.id}`;
    expect(answer.headers.location).to.equal(place);
    const path = { ...inProject, release_id: data.id };
    expect((await pipeline.ok('readRelease', { path })).body.data).to.deep.equal(data);
    const { data: items } = (await pipeline.ok('listChecklist', { path })).body;
    expect(items.map(({ title, state }) => `${title} ${state}`)).to.deep.equal([
      'Docs open',
      'Feature flag open',
      'Rollback open',
    ]);
  });

  it('have names of their own within the project', async () => {
    const { browser, inProject, inRelease } = stage();
    const { status } = await browser.refused('createRelease', 'name-taken', { path: inProject, body: { name: '2.4' } });
    expect(status).to.equal(409);
    await browser.ok('createRelease', { path: inProject, body: { name: '2.5' } });
    await browser.refused('changeRelease', 'name-taken', { path: inRelease, body: { name: '2.5' } });
  });

  it('change by what is sent, and not over an unseen change', async () => {
    const { browser, inRelease: path, release } = stage();
    const headers = { 'if-match': `"${release.version}"` };
    const body = { name: '2.4.0', target_at: '2026-12-05T12:00:00Z' };
    const first = (await browser.ok('changeRelease', { path, body, headers })).body.data;
    expect(first).to.include({ name: '2.4.0', target_at: '2026-12-05T12:00:00.000Z', version: release.version + 1 });
    expect(first.starts_at).to.equal(new Date(release.startsAt ?? 0).toISOString());
    const { status, body: problem } = await browser.refused('changeRelease', 'version-mismatch', {
      path,
      body,
      headers,
    });
    expect([status, problem.current]).to.deep.equal([412, first]);
    const next = (await browser.ok('changeRelease', { path, body: { target_at: null } })).body.data;
    expect(next).to.include({ name: '2.4.0', target_at: null });
    const moved = (await browser.ok('changeRelease', { path, body: { starts_at: '2026-11-01T00:00:00Z' } })).body.data;
    expect(moved.starts_at).to.equal('2026-11-01T00:00:00.000Z');
  });

  it('are listed newest first, by state, page by page', async () => {
    const { browser, pipeline, service, inProject: path } = stage();
    for (const name of ['3.0', '3.1', '3.2', '3.3']) {
      service.clock.pass(1);
      await browser.ok('createRelease', { path, body: { name } });
    }
    const first = await pipeline.ok('listReleases', { path, query: { limit: 2 } });
    expect(first.body.data.map(({ name }) => name)).to.deep.equal(['3.3', '3.2']);
    service.clock.pass(1);
    await browser.ok('createRelease', { path, body: { name: '4.0' } });
    const cursor = first.body.next_cursor ?? '';
    expect(first.headers.link).to.contain(encodeURIComponent(cursor)).and.contain('rel="next"');
    const second = await pipeline.ok('listReleases', { path, query: { limit: 2, cursor } });
    expect(second.body.data.map(({ name }) => name)).to.deep.equal(['3.1', '3.0']);
    const last = await pipeline.ok('listReleases', {
      path,
      query: { limit: 2, cursor: second.body.next_cursor ?? '' },
    });
    expect(last.body).to.have.nested.property('data[0].name', '2.4');
    expect(last.body.next_cursor).to.equal(null);
    expect(last.headers).not.to.have.property('link');
    const active = (await pipeline.ok('listReleases', { path, query: { state: 'active' } })).body.data;
    expect(active.map(({ name }) => name)).to.deep.equal(['2.4']);
    await pipeline.refused('listReleases', 'invalid', { path, query: { state: 'planned', cursor } });
    await pipeline.refused('listReleases', 'invalid', { path, rawQuery: 'limit=201&state=new&colour=red' });
  });

  it('refuse an empty or unknown change', async () => {
    const { browser, inRelease: path } = stage();
    await browser.refused('changeRelease', 'invalid', { path, rawBody: '{}' });
    const { body } = await browser.refused('changeRelease', 'invalid', {
      path,
      rawBody: '{"state":"shipped","starts_at":null,"target_at":"2026-02-30T00:00:00Z"}',
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/state', '/starts_at', '/target_at']);
  });
});
