import type { VerdictEnvelope } from '@shipworthy/client/contract';
import { VerdictStatement } from '@shipworthy/client/contract';
import { verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { SERVER_VERSION } from '../../src/version.js';
import { expectToFit } from '../harness/contract-check.js';
import { inPostgres, type OpenStores, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const HOUR = 3_600_000;

const keysOf = async ({ service }: Stage) => (await service.anonymous.ok('readVerdictKeys')).body;

/** The gate with its verdict, verified by the published keys, in the contract's form and recomputed. */
const verdict = async (here: Stage, view?: 'live' | 'frozen') => {
  const query = { signed: true, ...(view === undefined ? {} : { view }) };
  const answer = await here.pipeline.ok('readGate', { path: here.inRelease, query });
  const { data, verdict: envelope } = answer.body;
  const { statement } = await verifyVerdict(envelope as VerdictEnvelope, await keysOf(here));
  expectToFit(VerdictStatement, statement, 'the statement');
  const { predicate } = statement;
  expect(recomputeVerdict(predicate)).to.include({ outcome: 'agrees' });
  const { decision, decision_without_waivers, reasons } = data;
  expect(predicate.result).to.deep.include({ decision, decision_without_waivers, reasons });
  expect(predicate.as_of).to.equal(data.as_of);
  return { answer, data, statement, predicate };
};

const suite = (open: OpenStores): void => {
  const stage = useFreshStage(open);

  it('is answered beside the gate only when it is asked for', async () => {
    const here = stage();
    const { data, predicate } = await verdict(here);
    const { project, release, service } = here;
    expect(predicate.project).to.deep.equal({ id: project.id, name: 'checkout' });
    expect(predicate.release).to.deep.equal({ id: release.id, name: '2.4', state: 'active' });
    expect(predicate).to.include({ service_version: SERVER_VERSION, frozen_at: null, commit: null, formula: '1' });
    expect(predicate.issued_at).to.equal(new Date(service.clock.read()).toISOString());
    for (const query of [{}, { signed: false }]) {
      const plain = await here.pipeline.ok('readGate', { path: here.inRelease, query });
      expect(plain.body).to.deep.equal({ data });
    }
    const refused = await here.pipeline.refused('readGate', 'invalid', {
      path: here.inRelease,
      rawQuery: 'signed=yes',
    });
    expect(JSON.stringify(refused.body.errors)).to.contain('signed');
  });

  it('is about the commit that was deployed last, with the facts of that moment', async () => {
    const here = stage();
    await here.pipeline.ok('recordTestRun', { path: here.inProject, body: { ...RUN, commit_sha: 'a'.repeat(40) } });
    expect((await verdict(here)).statement.subject).to.deep.equal([
      { name: 'checkout/2.4', digest: { gitCommit: 'a'.repeat(40) } },
    ]);
    here.service.clock.pass(1_000);
    await here.pipeline.ok('recordDeployment', { body: FINISHED });
    const untested = await verdict(here);
    expect(untested.statement.subject[0]?.digest).to.have.all.keys('sha256');
    expect(untested.predicate.commit).to.equal(null);
    expect(untested.predicate.evidence_commits).to.deep.equal({
      deployed: FINISHED.commit_sha,
      tested: 'a'.repeat(40),
    });
    here.service.clock.pass(1_000);
    const { commit_sha } = FINISHED;
    await here.pipeline.ok('recordTestRun', { path: here.inProject, body: { ...RUN, commit_sha } });
    const { statement, predicate } = await verdict(here);
    expect(statement.subject[0]?.digest).to.deep.equal({ gitCommit: commit_sha });
    expect(predicate.facts.stability).to.deep.equal({ succeeded: 1, failed: 0, in_progress: 0 });
    expect(predicate.facts.verification).to.include({ passed: 410, total: 412, suite: 'unit' });
  });

  it('carries the waivers, and reads anew when one expires', async () => {
    const here = stage();
    const { browser, service, inRelease } = here;
    const expires = new Date(service.clock.read() + HOUR).toISOString();
    const body = { code: 'axis_unmeasured', axis: 'stability', text: 'Only docs.', expires_at: expires } as const;
    await browser.ok('waiveReason', { path: inRelease, body });
    const waived = await verdict(here);
    const covered = ({ predicate }: typeof waived) =>
      predicate.result.reasons.filter((reason) => reason.waived).map(({ axis }) => axis);
    expect(covered(waived)).to.deep.equal(['stability']);
    expect(waived.predicate.waivers.map(({ text }) => text)).to.deep.equal(['Only docs.']);
    service.clock.pass(HOUR);
    const expired = await verdict(here);
    expect(covered(expired)).to.deep.equal([]);
    expect(expired.predicate.as_of).to.equal(expires);
  });

  it('is the frozen one once the release shipped, and the live one on demand', async () => {
    const here = stage();
    await here.pipeline.ok('recordDeployment', { body: FINISHED });
    here.service.clock.pass(60_000);
    await here.world.ship(here.ada, here.project, here.release);
    const shippedAt = new Date(here.service.clock.read()).toISOString();
    here.service.clock.pass(60_000);
    const started_at = new Date(here.service.clock.read() - 90_000).toISOString();
    await here.pipeline.ok('recordDeployment', { body: { ...FINISHED, commit_sha: 'b'.repeat(40), started_at } });
    const frozen = await verdict(here);
    expect(frozen.predicate).to.include({ frozen_at: shippedAt, as_of: shippedAt, commit: FINISHED.commit_sha });
    expect(frozen.predicate.facts.stability.succeeded).to.equal(1);
    const live = await verdict(here, 'live');
    expect(live.predicate).to.include({ frozen_at: null, commit: 'b'.repeat(40) });
    expect(live.predicate.facts.stability.succeeded).to.equal(2);
    expect((await verdict(here, 'frozen')).predicate.frozen_at).to.equal(shippedAt);
  });

  it('has an entity tag of its own, and is signed anew when it is a minute old', async () => {
    const here = stage();
    const first = await verdict(here);
    const { etag = '' } = first.answer.headers;
    here.service.clock.pass(59_999);
    const sent = { path: here.inRelease, query: { signed: true } };
    const again = await here.pipeline.ask('readGate', { ...sent, headers: { 'if-none-match': etag } });
    expect(again.status).to.equal(304);
    here.service.clock.pass(1);
    const young = await verdict(here);
    expect(Date.parse(young.predicate.issued_at) - Date.parse(first.predicate.issued_at)).to.equal(60_000);
    expect({ ...young.predicate, issued_at: '' }).to.deep.equal({ ...first.predicate, issued_at: '' });
    const plain = await here.pipeline.ok('readGate', { path: here.inRelease });
    expect(plain.headers.etag).not.to.equal(young.answer.headers.etag);
  });

  it('is refused to callers who may not see the release', async () => {
    const here = stage();
    const stranger = here.service.signedIn(await here.world.person('Eve'));
    const sent = { path: here.inRelease, query: { signed: true } };
    await stranger.refused('readGate', 'not-found', sent);
    await here.service.anonymous.refused('readGate', 'unauthenticated', sent);
  });
};

onEveryStore('a signed verdict', suite);
describe('a signed verdict, on PostgreSQL', () => {
  suite(inPostgres);
});
