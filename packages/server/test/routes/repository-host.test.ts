import { expect } from 'chai';
import { useStage } from '../harness/stage.js';

describe('the repository host of a server that is not set up for one', () => {
  const stage = useStage();

  it('is neither configured nor connected, said without an envelope', async () => {
    const { pipeline, browser } = stage();
    for (const caller of [pipeline, browser])
      expect((await caller.ok('readHostConnection')).text).to.equal('{"configured":false,"connected":false}');
  });

  it('cannot be checked', async () => {
    const { status, body } = await stage().pipeline.refused('checkHostConnection', 'host-not-configured');
    expect(status).to.equal(409);
    expect(body.detail).to.contain('administrator');
  });

  it('is asked about by whoever may read', async () => {
    const { service, world, ada } = stage();
    const writer = service.withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    for (const id of ['readHostConnection', 'checkHostConnection'] as const) {
      await service.anonymous.refused(id, 'unauthenticated');
      await writer.refused(id, 'missing-scope');
    }
  });
});
