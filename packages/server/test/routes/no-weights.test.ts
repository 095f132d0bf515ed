import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const weights = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 };

onEveryStore('a policy stored before weights that are all 0 were refused', (open) => {
  const stage = useFreshStage(open);

  beforeEach(async () => {
    const { service, project } = stage();
    const next = {
      policy: { ...DEFAULT_POLICY, weights },
      version: 2,
      changedAt: service.clock.read(),
      changedBy: 'Ada',
    };
    expect(await service.ports.stores.policies.add(project.id, next)).to.equal(true);
  });

  it('is answered with unknown and no_weights, everywhere', async () => {
    const { pipeline, inRelease: path } = stage();
    const { data } = (await pipeline.ok('readReadiness', { path })).body;
    expect(data).to.deep.include({ score: null, coverage: 0 });
    expect(data.gate).to.deep.include({ decision: 'unknown', decision_without_waivers: 'unknown', next_steps: [] });
    expect(data.gate.reasons.map(({ code, actual, required }) => [code, actual, required])).to.deep.equal([
      ['no_weights', null, null],
    ]);
    expect((await pipeline.ok('readGate', { path })).body.data.reasons).to.deep.equal(data.gate.reasons);
  });

  it('can be asked about other facts, and with weights', async () => {
    const { pipeline, inRelease: path } = stage();
    const facts = { ops: { done: 3, total: 3 } };
    const still = (await pipeline.ok('askWhatIf', { path, body: { facts } })).body.data;
    expect(still.report.gate.decision).to.equal('unknown');
    const policy = { weights: { ops: 1 } };
    const weighed = (await pipeline.ok('askWhatIf', { path, body: { facts, policy } })).body.data;
    expect(weighed.report).to.include({ score: 100 });
    expect(weighed.before).to.deep.include({ score: null, decision: 'unknown' });
  });

  it('has a reason that cannot be waived', async () => {
    const { browser, inRelease: path, service } = stage();
    const expires_at = new Date(service.clock.read() + 86_400_000).toISOString();
    const rawBody = JSON.stringify({ code: 'no_weights', text: 'Ship it.', expires_at });
    const { body } = await browser.refused('waiveReason', 'invalid', { path, rawBody });
    expect(body.errors).to.have.nested.property('[0].pointer', '/code');
  });

  it('goes on to be reported to, and is judged again once an axis has a weight', async () => {
    const { pipeline, browser, inProject, inRelease: path } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    const read = (await browser.ok('readPolicy', { path: inProject })).body.data;
    const body = { ...read, weights: { ...weights, stability: 1 } };
    await browser.ok('replacePolicy', { path: inProject, body, headers: { 'if-match': '"2"' } });
    expect((await pipeline.ok('readGate', { path })).body.data.reasons.map(({ code }) => code)).not.to.include(
      'no_weights',
    );
  });
});
