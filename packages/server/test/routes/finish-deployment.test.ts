import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { STARTED } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

const MISSING = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

onEveryStore('finishDeployment', (open) => {
  const stage = useStage(open);
  const start = async (): Promise<{ deployment_id: string }> => {
    const { body } = await stage().pipeline.ok('recordDeployment', { body: STARTED });
    return { deployment_id: body.data.id };
  };

  it('ends a deployment at the clock with the duration reported', async () => {
    const { pipeline, service } = stage();
    const path = await start();
    const finished = new Date(service.clock.pass(1000)).toISOString();
    const { data } = (
      await pipeline.ok('finishDeployment', { path, body: { status: 'success', duration_seconds: 94.5 } })
    ).body;
    expect(data).to.include({ status: 'success', duration_seconds: 94.5, finished_at: finished });
    expect(data.attribution.releases[0]).to.include({ counts: true });
  });

  it('answers a repeat unchanged and refuses another status or another duration', async () => {
    const { pipeline, service } = stage();
    const path = await start();
    const end = { status: 'failure', duration_seconds: 7.25 } as const;
    const first = await pipeline.ok('finishDeployment', { path, body: end });
    service.clock.pass(5000);
    for (const body of [end, { status: 'failure' } as const])
      expect((await pipeline.ok('finishDeployment', { path, body })).text).to.equal(first.text);
    for (const body of [{ status: 'success' } as const, { ...end, duration_seconds: 7.5 }])
      expect((await pipeline.refused('finishDeployment', 'deployment-finished', { path, body })).body.status).to.equal(
        409,
      );
    const { body } = await pipeline.ok('readDeployment', { path });
    expect(body.data).to.include(end);
  });

  it('keeps the duration of one of two that end it alike', async () => {
    const { pipeline } = stage();
    for (let round = 0; round < 10; round += 1) {
      const path = await start();
      const answers = await Promise.all(
        [1, 2].map((duration_seconds) =>
          pipeline.ask('finishDeployment', { path, body: { status: 'success', duration_seconds } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    }
  });

  it('lets exactly one of two contradicting ends win', async () => {
    const { pipeline } = stage();
    for (let round = 0; round < 10; round += 1) {
      const path = await start();
      const answers = await Promise.all(
        (['success', 'failure'] as const).map((status) => pipeline.ask('finishDeployment', { path, body: { status } })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    }
  });

  it('takes no status but a final one, and nothing else', async () => {
    const { pipeline } = stage();
    const path = await start();
    const { body } = await pipeline.refused('finishDeployment', 'invalid', {
      path,
      rawBody: '{"status":"started","duration_seconds":-1,"finished_at":"2026-11-20T12:00:00Z"}',
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/status', '/duration_seconds', '/finished_at']);
  });

  it('does not reveal whether a deployment is missing or out of sight', async () => {
    const { service, world } = stage();
    const path = await start();
    const eve = await world.person('Eve');
    await world.team(eve, 'Elsewhere');
    const outsider = service.withKey(await world.key(eve));
    const body = { status: 'success' } as const;
    const hidden = await outsider.refused('finishDeployment', 'not-found', { path, body });
    const missing = await outsider.refused('finishDeployment', 'not-found', { path: { deployment_id: MISSING }, body });
    expect(hidden.body.detail).to.equal(missing.body.detail);
  });

  it('says that a slug is no id', async () => {
    const { body } = await stage().pipeline.refused('finishDeployment', 'not-found', {
      path: { deployment_id: 'checkout' },
      body: { status: 'success' },
    });
    expect(body.detail).to.contain('UUID');
  });
});
