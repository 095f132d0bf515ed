import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, STARTED } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

onEveryStore('recordDeployment', (open) => {
  const stage = useStage(open);

  it('answers the record with its receipt and its place', async () => {
    const { pipeline, project, release, service } = stage();
    const { status, headers, body } = await pipeline.ok('recordDeployment', { body: STARTED });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/deployments/${body.data.id}`);
    const now = new Date(service.clock.read()).toISOString();
    expect(body.data).to.deep.equal({
      ...STARTED,
      id: body.data.id,
      project_id: project.id,
      is_return: false,
      url: null,
      started_at: now,
      finished_at: null,
      duration_seconds: null,
      created_at: now,
      attribution: {
        project: { id: project.id, name: 'checkout' },
        releases: [{ id: release.id, name: '2.4', counts: false, reason: 'still_in_progress' }],
        axis: 'stability',
      },
    });
  });

  it('takes a deployment that is over in one call, all its times equal', async () => {
    const { pipeline, service } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: FINISHED })).body;
    const now = new Date(service.clock.read()).toISOString();
    expect([data.started_at, data.finished_at, data.created_at]).to.deep.equal([now, now, now]);
    expect(data).to.include({ status: 'success', duration_seconds: 94.5 });
    expect(data.attribution.releases[0]).to.include({ counts: true }).and.not.have.property('reason');
  });

  it('keeps the times and the page of an import, and says when no window holds it', async () => {
    const { pipeline } = stage();
    const { data } = (
      await pipeline.ok('recordDeployment', {
        body: {
          ...FINISHED,
          status: 'failure',
          url: 'https://ci.acme.dev/runs/4711',
          started_at: '2026-01-05T10:00:00+02:00',
          finished_at: '2026-01-05T08:03:20.123456Z',
        },
      })
    ).body;
    expect(data).to.include({
      url: 'https://ci.acme.dev/runs/4711',
      started_at: '2026-01-05T08:00:00.000Z',
      finished_at: '2026-01-05T08:03:20.123Z',
    });
    expect(data.attribution).to.deep.include({ releases: [], reason: 'no_release_window' });
  });

  it('refuses a name nobody bears with the nearest ones', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'unknown-app-name', {
      body: { ...STARTED, app_name: 'chekout' },
    });
    expect(body.status).to.equal(422);
    expect(body.nearest).to.deep.equal(['checkout']);
    expect(body.detail).to.contain('checkout');
  });

  it('refuses a name that is not that of the project meant', async () => {
    const { pipeline, project } = stage();
    const { body } = await pipeline.refused('recordDeployment', 'invalid', {
      body: { ...STARTED, app_name: 'other', project_id: project.id },
    });
    expect(body.errors).to.have.nested.property('[0].pointer', '/app_name');
  });

  it('names every fault at once, unknown fields included', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'invalid', {
      rawBody: JSON.stringify({ ...STARTED, status: 'done', commit_sha: 'xyz', colour: 'red', environment: undefined }),
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/status', '/commit_sha', '/commit_sha', '/colour', '/environment']);
  });

  it('refuses times that cannot be', async () => {
    const { body } = await stage().pipeline.refused('recordDeployment', 'invalid', {
      body: { ...STARTED, started_at: '2026-11-20T12:06:00Z', finished_at: '2026-11-20T12:00:00Z' },
    });
    const codes = (body.errors ?? []).map(({ code }) => code);
    expect(codes).to.have.members(['in-future', 'not-final', 'before-start']);
  });

  it('tells a duplicate from a contradiction by what was sent under the external id', async () => {
    const { pipeline } = stage();
    const first = await pipeline.ok('recordDeployment', { body: { ...FINISHED, external_id: 'run-1' } });
    const reordered = Object.fromEntries(Object.entries({ ...FINISHED, external_id: 'run-1' }).reverse());
    const again = await pipeline.ok('recordDeployment', { rawBody: JSON.stringify(reordered) });
    expect(again.text).to.equal(first.text);
    expect(again.headers.location).to.equal(first.headers.location);
    const { body } = await pipeline.refused('recordDeployment', 'external-id-conflict', {
      body: { ...FINISHED, version: '2.4.2', external_id: 'run-1' },
    });
    expect(body.id).to.equal(first.body.data.id);
  });
});

onEveryStore('recordDeployment where a name is ambiguous', (open) => {
  const stage = useStage(open);

  it('lists both projects in sight until project_id decides', async () => {
    const { service, world, ada, project } = stage();
    const platform = await world.team(ada, 'Platform');
    const twin = await world.project(ada, platform, 'checkout');
    const bob = await world.person('Bob');
    await world.project(bob, await world.team(bob, 'Elsewhere'), 'checkout');
    const pipeline = service.withKey(await world.key(ada));
    const { body } = await pipeline.refused('recordDeployment', 'ambiguous-app-name', { body: STARTED });
    expect((body.candidates ?? []).map(({ id }) => id)).to.have.members([project.id, twin.id]);
    const { data } = (
      await pipeline.ok('recordDeployment', { body: { ...STARTED, project_id: twin.id.toUpperCase() } })
    ).body;
    expect(data.project_id).to.equal(twin.id);
  });
});

describe('a body that is no report', () => {
  const stage = useStage();
  it('is refused by its type, its form or its size', async () => {
    const { pipeline } = stage();
    const rawBody = JSON.stringify(STARTED);
    const as = (type: string) => ({ rawBody, headers: { 'content-type': type } });
    await pipeline.refused('recordDeployment', 'unsupported-media-type', as('text/plain'));
    await pipeline.refused('recordDeployment', 'unsupported-media-type', as('application/x-ndjson'));
    await pipeline.refused('recordDeployment', 'malformed-json', { rawBody: rawBody.slice(0, -1) });
    await pipeline.refused('recordDeployment', 'malformed-json', {
      rawBody: '{"status":"started","status":"success"}',
    });
    await pipeline.refused('recordDeployment', 'body-too-large', { rawBody: `"${'x'.repeat(65_536)}"` });
    for (const value of ['null', '[]', '"text"', '7'])
      await pipeline.refused('recordDeployment', 'invalid', { rawBody: value });
  });
});
