import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, STARTED } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

onEveryStore('readDeployment', (open) => {
  const stage = useStage(open);

  it('says what the deployment does to the score', async () => {
    const { pipeline, release } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    const { data } = (await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } })).body;
    const read = await pipeline.ok('readDeployment', { path: { deployment_id: data.id } });
    expect(read.body.data.attribution.releases).to.deep.equal([
      { id: release.id, name: '2.4', counts: true, contribution: { score_with: 25, score_without: 50 } },
    ]);
  });

  it('has no contribution where it does not count', async () => {
    const { pipeline } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
    const read = await pipeline.ok('readDeployment', { path: { deployment_id: data.id.toUpperCase() } });
    expect(read.body.data).to.deep.equal(data);
  });
});

onEveryStore('listDeployments', (open) => {
  const stage = useStage(open);
  const ids: string[] = [];
  before(async () => {
    const { pipeline, service } = stage();
    for (const environment of ['staging', 'production', 'staging', 'production', 'staging']) {
      service.clock.pass(1000);
      const { data } = (await pipeline.ok('recordDeployment', { body: { ...STARTED, environment } })).body;
      ids.unshift(data.id);
    }
  });

  it('pages from the newest to the oldest, each once, though others arrive in the meantime', async () => {
    const { pipeline, inProject, service } = stage();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body, headers } = await pipeline.ok('listDeployments', {
        path: inProject,
        query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      });
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor ?? undefined;
      if (cursor === undefined) expect(headers).not.to.have.property('link');
      else
        expect(headers.link)
          .to.contain(`cursor=${encodeURIComponent(cursor)}`)
          .and.contain('limit=2');
      service.clock.pass(1);
      await pipeline.ok('recordDeployment', { body: { ...STARTED, environment: 'later' } });
    } while (cursor !== undefined);
    expect(seen).to.deep.equal(ids);
  });

  it('filters by environment, status and time, the end excluded', async () => {
    const { pipeline, inProject } = stage();
    const idsOf = async (query: object): Promise<readonly string[]> => {
      const { body } = await pipeline.ok('listDeployments', { path: inProject, query });
      return body.data.map(({ id }) => id);
    };
    expect(await idsOf({ environment: 'staging' })).to.deep.equal([ids[0], ids[2], ids[4]]);
    expect(await idsOf({ status: 'success' })).to.deep.equal([]);
    const window = { started_from: '2026-11-20T12:00:02Z', started_to: '2026-11-20T12:00:04Z' };
    expect(await idsOf(window)).to.deep.equal([ids[2], ids[3]]);
    expect(await idsOf({ started_to: '2026-11-20T12:00:02Z' })).to.deep.equal([ids[4]]);
  });

  it('refuses a cursor of another list and a limit beyond 200', async () => {
    const { pipeline, inProject } = stage();
    const { body } = await pipeline.ok('listDeployments', { path: inProject, query: { limit: 1 } });
    const foreign = { cursor: body.next_cursor ?? '', environment: 'staging' };
    await pipeline.refused('listDeployments', 'invalid', { path: inProject, query: foreign });
    await pipeline.refused('listDeployments', 'invalid', { path: inProject, query: { limit: 201 } });
    await pipeline.refused('listDeployments', 'invalid', { path: inProject, rawQuery: 'colour=red' });
  });
});
