import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('a test run that is set aside', (open) => {
  const stage = useFreshStage(open);
  const record = async (body: object) => {
    stage().service.clock.pass(1_000);
    return (await stage().pipeline.ok('recordTestRun', { path: stage().inProject, body: { ...RUN, ...body } })).body
      .data;
  };
  const verification = async () => {
    const { data } = (await stage().pipeline.ok('readReadiness', { path: stage().inRelease })).body;
    return data.axes.find(({ axis }) => axis === 'verification');
  };
  const inRun = (id: string) => ({ ...stage().inProject, test_run_id: id });
  const body = { reason: 'It ran on the wrong branch.' };

  it('says who, when and why, counts for nothing, and can be restored', async () => {
    const { browser, pipeline, service, inProject, inRelease, release } = stage();
    const run = await record({ suite: 'unit' });
    expect(run.set_aside).to.equal(null);
    const at = new Date(service.clock.pass(1_000)).toISOString();
    const { data } = (await browser.ok('setTestRunAside', { path: inRun(run.id), body })).body;
    expect(data.set_aside).to.deep.equal({ ...body, by: 'Ada', at });
    const lines = [{ id: release.id, name: release.name, counts: false, reason: 'set_aside' }];
    expect(data.attribution.releases).to.deep.equal(lines);
    const read = (await pipeline.ok('readTestRun', { path: inRun(run.id) })).body.data;
    expect(read).to.deep.equal(data);
    expect(await verification()).to.include({ state: 'unmeasured', cause: 'test_run_set_aside' });
    const listed = await pipeline.ok('listNotCounted', { path: inProject, query: { kind: 'test_run' } });
    expect(listed.body.data.map(({ reason }) => reason)).to.deep.equal(['set_aside']);
    const rows = await pipeline.ok('listAxisRows', { path: { ...inRelease, axis: 'verification' } });
    expect(rows.body.data[0]).to.include({ counts: false, reason: 'set_aside' });
    await browser.refused('setTestRunAside', 'test-run-state', { path: inRun(run.id), body });
    const restored = (await browser.ok('restoreTestRun', { path: inRun(run.id) })).body.data;
    expect(restored).to.deep.equal(run);
    await browser.refused('restoreTestRun', 'test-run-state', { path: inRun(run.id) });
    expect(await verification()).to.include({ state: 'measured' });
  });

  it('leaves verification unmeasured until its own suite has a newer run', async () => {
    const { browser, pipeline, inRelease } = stage();
    const wrong = await record({ suite: 'unit' });
    await record({ suite: 'e2e' });
    await browser.ok('setTestRunAside', { path: inRun(wrong.id), body });
    expect(await verification()).to.include({
      cause: 'test_run_set_aside',
      explanation: 'An owner set the latest run of unit aside: record a newer one here or send it from CI',
    });
    const { data } = (await pipeline.ok('readGate', { path: inRelease })).body;
    expect(data.decision).to.not.equal('go');
    await record({ suite: 'e2e' });
    expect(await verification()).to.include({ cause: 'test_run_set_aside' });
    await record({ suite: 'unit' });
    expect(await verification()).to.include({ state: 'measured' });
  });

  it('needs a reason of 1 to 500 characters, an owner, and an open release', async () => {
    const { browser, service, world, team, inRelease } = stage();
    const run = await record({});
    const path = inRun(run.id);
    for (const reason of ['', 'x'.repeat(501)])
      expect(
        (await browser.refused('setTestRunAside', 'invalid', { path, body: { reason } })).body.errors?.map(
          ({ pointer }) => pointer,
        ),
      ).to.deep.equal(['/reason']);
    const member = await world.person('Max');
    await world.member(team, member, 'member');
    await service.signedIn(member).refused('setTestRunAside', 'forbidden', { path, body });
    await browser.ok('shipRelease', { path: inRelease });
    await browser.refused('setTestRunAside', 'release-closed', { path, body });
  });

  it('beside a worse suite: the report names that one, and the policy that counts it', async () => {
    const { pipeline, inRelease } = stage();
    await record({ suite: 'e2e', total: 100, passed: 50, failed: 50 });
    await record({ suite: 'unit', total: 3, passed: 3, failed: 0 });
    const reading = await verification();
    expect(reading?.explanation).to.equal('unit: 3 of 3; the latest run of e2e had 50 of 100');
    expect(reading?.facts).to.deep.include({ worse_suite: { suite: 'e2e', passed: 50, total: 100 } });
    const { data } = (await pipeline.ok('readGate', { path: inRelease })).body;
    const [step] = data.next_steps.filter(({ action }) => action === 'count_every_suite');
    expect(step).to.include({ axis: 'verification', count: null, gain: null });
    expect(step?.message).to.contain('latest_per_suite').and.contain('e2e had 50 of 100');
  });
});
