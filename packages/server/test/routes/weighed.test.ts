import { expect } from 'chai';
import { unlessItFails, withContributionsOf } from '../../src/routes/weighed.js';
import { inMemory, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const query = { contribution: true };
const keyed = { headers: { 'idempotency-key': 'k1' } };

onEveryStore('a report that asks for its contribution', (open) => {
  const stage = useFreshStage(open);

  it('is answered with it: a deployment, and the end of one', async () => {
    const { pipeline, release } = stage();
    const first = await pipeline.ok('recordDeployment', { query, body: FINISHED });
    const line = { id: release.id, name: '2.4', counts: true };
    expect(first.body.data.attribution.releases).to.deep.equal([
      { ...line, contribution: { score_with: 50, score_without: 0 } },
    ]);
    const started = await pipeline.ok('recordDeployment', { query, body: STARTED });
    expect(started.body.data.attribution.releases[0]).not.to.have.property('contribution');
    const path = { deployment_id: started.body.data.id };
    const ended = await pipeline.ok('finishDeployment', { path, query, body: { status: 'failure' } });
    expect(ended.body.data.attribution.releases).to.deep.equal([
      { ...line, contribution: { score_with: 25, score_without: 50 } },
    ]);
    expect((await pipeline.ok('readDeployment', { path })).body).to.deep.equal(ended.body);
    const again = await pipeline.ok('finishDeployment', { path, query, body: { status: 'failure' } });
    expect(again.body).to.deep.equal(ended.body);
  });

  it('is answered with it: a test run', async () => {
    const { pipeline, inProject, service } = stage();
    await pipeline.ok('recordTestRun', { path: inProject, body: { total: 4, passed: 1, failed: 3 } });
    service.clock.pass(1000);
    const { data } = (await pipeline.ok('recordTestRun', { path: inProject, query, body: RUN })).body;
    expect(data.attribution.releases[0]?.contribution).to.deep.equal({ score_with: 49.75, score_without: 12.5 });
    const read = await pipeline.ok('readTestRun', { path: { ...inProject, test_run_id: data.id } });
    expect(read.body.data).to.deep.equal(data);
  });

  it('is answered without it unless it asks', async () => {
    const { pipeline, inProject } = stage();
    for (const asked of [{}, { contribution: false }]) {
      const deployment = await pipeline.ok('recordDeployment', { query: asked, body: FINISHED });
      expect(deployment.text).not.to.contain('contribution');
      const run = await pipeline.ok('recordTestRun', { path: inProject, query: asked, body: RUN });
      expect(run.text).not.to.contain('contribution');
    }
  });

  it('is answered without it to a key that may report and not read, and stored all the same', async () => {
    const { service, world, ada, inProject } = stage();
    const narrow = service.withKey(await world.key(ada, { scopes: ['deployments:write', 'test-runs:write'] }));
    const started = await narrow.ok('recordDeployment', { query, body: STARTED });
    const path = { deployment_id: started.body.data.id };
    const answers = [
      await narrow.ok('finishDeployment', { path, query, body: { status: 'success' } }),
      await narrow.ok('recordTestRun', { path: inProject, query, body: RUN, ...keyed }),
      await narrow.ok('recordTestRun', { path: inProject, query, body: RUN, ...keyed }),
    ];
    for (const { text } of answers) expect(text).to.contain('"counts":true').and.not.contain('contribution');
  });

  it('repeated by its key gets the first answer with what the record contributes now', async () => {
    const { pipeline, inProject, service } = stage();
    const sent = { body: FINISHED, ...keyed };
    const first = await pipeline.ok('recordDeployment', { query, ...sent });
    await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } });
    service.clock.pass(60_000);
    const again = await pipeline.ok('recordDeployment', { query, ...sent });
    expect(again.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location });
    expect(again.body.data.attribution.releases[0]?.contribution).to.deep.equal({ score_with: 25, score_without: 0 });
    const plain = await pipeline.ok('recordDeployment', sent);
    expect(plain.text).not.to.contain('contribution');
    expect(withContributionsOf(plain.text, again.text)).to.equal(again.text);

    const run = { path: inProject, body: RUN, ...keyed };
    const recorded = await pipeline.ok('recordTestRun', { query, ...run });
    expect((await pipeline.ok('recordTestRun', { query, ...run })).text).to.equal(recorded.text);
  });
});

describe('a report whose contribution cannot be read', () => {
  const broken = { facts: false, calls: 0 };
  const stage = useFreshStage(async () => {
    const { stores, close } = await inMemory();
    broken.facts = false;
    const facts = {
      ...stores.facts,
      factsFor: async (ids: readonly string[]) => {
        if (!broken.facts) return stores.facts.factsFor(ids);
        broken.calls += 1;
        throw new Error('the database is away');
      },
    };
    return { stores: { ...stores, facts }, close };
  });

  it('is acknowledged all the same, new, finished or repeated', async () => {
    const { pipeline, inProject } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
    broken.facts = true;
    const path = { deployment_id: data.id };
    const answers = [
      await pipeline.ok('recordDeployment', { query, body: FINISHED, ...keyed }),
      await pipeline.ok('recordDeployment', { query, body: FINISHED, ...keyed }),
      await pipeline.ok('finishDeployment', { path, query, body: { status: 'success' } }),
      await pipeline.ok('recordTestRun', { path: inProject, query, body: RUN }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 200, 201]);
    for (const { text } of answers) expect(text).to.contain('"counts":true').and.not.contain('contribution');
    expect(broken.calls).to.equal(4);
  });
});

describe('unlessItFails', () => {
  it('answers what the work does, and nothing when it fails at once, later or too late', async () => {
    expect(await unlessItFails(async () => 7)).to.equal(7);
    expect(await unlessItFails(() => Promise.reject(new Error('away')))).to.equal(undefined);
    const thrown = () => {
      throw new Error('at once');
    };
    expect(await unlessItFails(thrown)).to.equal(undefined);
    expect(await unlessItFails(() => new Promise(() => undefined), 5)).to.equal(undefined);
  });
});

describe('withContributionsOf', () => {
  const answer = (releases: readonly object[]) => JSON.stringify({ data: { id: 'd', attribution: { releases } } });
  const [open, counted] = [
    { id: 'a', counts: false },
    { id: 'b', counts: true },
  ];
  const contribution = { score_with: 1, score_without: null };

  it('adds only to what counted in the first answer and still does', () => {
    const later = answer([
      { ...counted, contribution },
      { ...open, counts: true, contribution },
    ]);
    expect(withContributionsOf(answer([open, counted]), later)).to.equal(answer([open, { ...counted, contribution }]));
    expect(withContributionsOf(answer([counted]), answer([{ ...counted, counts: false }]))).to.equal(answer([counted]));
  });
});
