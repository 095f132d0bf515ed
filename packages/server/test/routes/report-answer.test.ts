import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useStage } from '../harness/stage.js';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

onEveryStore('answerReport', (open) => {
  const stage = useStage(open);
  const stored = async (): Promise<number> => {
    const { pipeline, inProject } = stage();
    const { body } = await pipeline.ok('listDeployments', { path: inProject, query: { limit: 200 } });
    return body.data.length;
  };

  it('replays the first answer to the byte, and stores one record', async () => {
    const { pipeline, service } = stage();
    const before = await stored();
    const first = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-1') });
    service.clock.pass(60_000);
    const again = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-1') });
    expect(first.headers).not.to.have.property('idempotent-replayed');
    expect(again.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location });
    expect(again.text).to.equal(first.text);
    expect(await stored()).to.equal(before + 1);
  });

  it('refuses the key for another body, and stores nothing', async () => {
    const { pipeline } = stage();
    await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('deploy-2') });
    const before = await stored();
    await pipeline.refused('recordDeployment', 'idempotency-key-reused', { body: FINISHED, ...keyed('deploy-2') });
    expect(await stored()).to.equal(before);
  });

  it('makes one record of many requests with one key', async () => {
    const { pipeline } = stage();
    const before = await stored();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pipeline.ask('recordDeployment', { body: FINISHED, ...keyed('deploy-3') })),
    );
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(texts.size).to.equal(1);
    for (const { status, headers } of answers)
      if (status !== 201) expect({ status, retry: headers['retry-after'] }).to.deep.equal({ status: 409, retry: '1' });
    expect(await stored()).to.equal(before + 1);
  });

  it('remembers no refusal', async () => {
    const { pipeline, world, ada, team, service } = stage();
    const body = { ...STARTED, app_name: 'basket' };
    await pipeline.refused('recordDeployment', 'unknown-app-name', { body, ...keyed('deploy-4') });
    await world.project(ada, team, 'basket');
    service.clock.pass(1);
    await pipeline.ok('recordDeployment', { body, ...keyed('deploy-4') });
  });

  it('keeps keys apart by caller and by path', async () => {
    const { pipeline, world, ada, service, inProject } = stage();
    const other = service.withKey(await world.key(ada));
    const mine = await pipeline.ok('recordDeployment', { body: STARTED, ...keyed('same') });
    const theirs = await other.ok('recordDeployment', { body: STARTED, ...keyed('same') });
    expect(theirs.body.data.id).not.to.equal(mine.body.data.id);
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('same') });
  });

  it('replays a test run though its release closed since', async () => {
    const { pipeline, world, ada, project, release, inProject } = stage();
    const first = await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('run-1') });
    await world.ship(ada, project, release);
    await pipeline.refused('recordTestRun', 'no-active-release', { path: inProject, body: RUN, ...keyed('run-2') });
    const again = await pipeline.ok('recordTestRun', { path: inProject, body: RUN, ...keyed('run-1') });
    expect(again.text).to.equal(first.text);
  });

  it('refuses a key that is no visible ASCII', async () => {
    await stage().pipeline.refused('recordDeployment', 'invalid', { body: STARTED, ...keyed('two words') });
  });
});
