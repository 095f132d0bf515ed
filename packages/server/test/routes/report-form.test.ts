import { createHash } from 'node:crypto';
import { verdictSigner } from '@shipworthy/adapters/crypto';
import {
  AxisReading,
  GateReport,
  HistoryPoint,
  ReadinessReport,
  SilentSource,
  type VerdictEnvelope,
  VerdictStatement,
} from '@shipworthy/client/contract';
import { VerdictError, verifyVerdict } from '@shipworthy/client/verify';
import {
  assessRelease,
  type AxisReading as DomainReading,
  type Policy,
  type ReleaseFacts,
  readingForm,
  recomputeVerdict,
  silentSourceForm,
  type Waiver,
} from '@shipworthy/domain/readiness';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  wireGateReport,
  wireHistoryPoint,
  wireReport,
  wireStatement,
  wireVerdictKeys,
} from '../../src/routes/report-form.js';
import { expectToFit } from '../harness/contract-check.js';
import { useStage } from '../harness/stage.js';
import { FACTS, ID, ISSUES_AS_OF, judged, NO_FACTS } from '../wire/judged-release.js';
import { verdictOf } from '../wire/judged-verdict.js';

describe('wireReport', () => {
  it('shows a live report in the order of its description', () => {
    const wire = wireReport(judged(FACTS));
    expectToFit(ReadinessReport, wire, 'The report');
    expect(Object.keys(wire)).to.deep.equal([
      'project',
      'release',
      'as_of',
      'formula',
      'score',
      'coverage',
      'axes',
      'gate',
      'silent_sources',
    ]);
    expect(wire).to.deep.include({ as_of: '1970-01-01T00:00:01.000Z', formula: '1', score: 67.9, coverage: 1 });
  });

  it('says when it was frozen, and that nothing is known', () => {
    const wire = wireReport({ ...judged(NO_FACTS), frozenAt: 2000 });
    expectToFit(ReadinessReport, wire, 'The report');
    expect(wire).to.include({ frozen_at: '1970-01-01T00:00:02.000Z', score: null, coverage: 0 });
  });
});

describe('wireGateReport', () => {
  it('is the gate of the report with its times', () => {
    for (const frozenAt of [null, 2000]) {
      const wire = wireGateReport({ ...judged(FACTS), frozenAt });
      expectToFit(GateReport, wire, 'The gate');
      const { as_of, frozen_at, gate } = wireReport({ ...judged(FACTS), frozenAt });
      expect(wire).to.deep.equal({ as_of, ...(frozen_at === undefined ? {} : { frozen_at }), ...gate });
    }
  });
});

describe('wireHistoryPoint', () => {
  it('shows the five readings and the causes', () => {
    const { report } = judged(NO_FACTS);
    const axes = report.axes.map(({ axis }) => ({ axis, score: null }));
    const causes = [{ kind: 'deployment' as const, id: ID, at: 900 }];
    const numbers = { score: null, coverage: 0, decision: 'unknown' as const };
    const wire = wireHistoryPoint({ releaseId: ID, at: 1000, ...numbers, axes, causes, causeCount: 21 });
    expectToFit(HistoryPoint, wire, 'The point');
    expect(wire).to.deep.equal({
      at: '1970-01-01T00:00:01.000Z',
      ...numbers,
      axes,
      causes: [{ kind: 'deployment', id: ID, at: '1970-01-01T00:00:00.900Z' }],
      cause_count: 21,
    });
  });
});

describe('a reading on the wire', () => {
  it('shows score and facts of every measured axis', () => {
    const { axes } = judged(FACTS).report;
    const wire = wireReport(judged(FACTS)).axes;
    for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
    expect(wire.map(({ state }) => state)).to.deep.equal(Array.from({ length: 5 }, () => 'measured'));
    expect(wire.map((reading) => (reading.state === 'measured' ? reading.score : null))).to.deep.equal([
      66.66, 50, 33.33, 99.51, 90,
    ]);
    expect(wire.map(({ facts }) => facts)).to.deep.equal([
      { done: 2, total: 3 },
      { resolved: 1, total: 2, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
      { done: 1, total: 3, open_items: ['Docs', 'Rollback'] },
      { passed: 410, total: 412, ran_at: '1970-01-01T00:00:00.500Z', suite: 'unit', commit_sha: null, runs: 1 },
      {
        succeeded: 9,
        failed: 1,
        in_progress: 2,
        change_failure_rate: 0.1,
        interval: axes[4]?.changeFailureRate?.interval,
      },
    ]);
  });

  it('shows the cause of every unmeasured axis, and no facts where there is no run', () => {
    const wire = wireReport(judged(NO_FACTS)).axes;
    for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
    expect(wire.map((reading) => (reading.state === 'unmeasured' ? reading.cause : null))).to.deep.equal([
      'no_issues',
      'no_issues',
      'no_checklist_items',
      'no_test_run',
      'no_finished_deployment',
    ]);
    expect(wire.map((reading) => 'facts' in reading)).to.deep.equal([true, true, true, false, true]);
    expect(wire[4]?.facts).to.include({ change_failure_rate: null, interval: null });
    for (const reading of wire) expect(reading).not.to.have.property('score');
  });

  it('shows as of when the issues are known on scope and quality, only while they are not current', () => {
    for (const facts of [FACTS, NO_FACTS]) {
      const wire = wireReport(judged({ ...facts, issuesAsOf: ISSUES_AS_OF })).axes;
      for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
      const asOf = wire.map((reading) => ('as_of' in reading ? reading.as_of : null));
      expect(asOf).to.deep.equal(['2026-11-21T14:03:59.123Z', '2026-11-21T14:03:59.123Z', null, null, null]);
      for (const { explanation } of wire.slice(0, 2)) expect(explanation).to.match(/, as of 14:03 UTC on 2026-11-21$/);
      for (const current of [facts, { ...facts, issuesAsOf: null }])
        for (const reading of wireReport(judged(current)).axes) expect(reading).not.to.have.property('as_of');
    }
  });

  it('refuses it on every other axis', () => {
    const [, , ...others] = wireReport(judged(FACTS)).axes;
    for (const reading of others)
      expect(() =>
        expectToFit(AxisReading, { ...reading, as_of: '2026-11-21T14:03:59.123Z' }, reading.axis),
      ).to.throw();
  });

  it('says nothing of it where a report was frozen before it could be told', () => {
    const { axes } = judged(FACTS).report;
    const before = axes.map(({ asOf: _, ...reading }) => reading as DomainReading);
    expect(before.map(readingForm)).to.deep.equal(axes.map(readingForm));
  });
});

/** The signed statement; it follows the contract for any facts. */
const said = (facts: ReleaseFacts, commit: string | null): VerdictStatement => {
  const statement = wireStatement(verdictOf({ facts, commit }), '1.2.3');
  expectToFit(VerdictStatement, statement, 'a statement');
  return statement;
};

describe('wireStatement', () => {
  it('names what it is about', () => {
    const statement = said(FACTS, '9FCEB02D0AE598E95DC970B74767F19372D61AF8');
    expect(statement.subject).to.deep.equal([
      { name: 'checkout/2.4', digest: { gitCommit: '9fceb02d0ae598e95dc970b74767f19372d61af8' } },
    ]);
    expect(statement.predicate).to.include({
      commit: '9FCEB02D0AE598E95DC970B74767F19372D61AF8',
      as_of: '1970-01-01T00:00:01.000Z',
      frozen_at: null,
      service_version: '1.2.3',
    });
    const { verification } = FACTS;
    expect(statement.predicate.evidence_commits).to.deep.equal({
      deployed: '9FCEB02D0AE598E95DC970B74767F19372D61AF8',
      tested: verification?.commitSha ?? null,
    });
  });

  it('takes the digest of the facts where the commit is unknown or abbreviated', () => {
    const canonical =
      '{"ops":{"done":0,"open_items":[],"total":0},' +
      '"quality":{"open":{"critical":0,"major":0,"minor":0,"unspecified":0},"resolved":0,"total":0},' +
      '"scope":{"done":0,"total":0},"stability":{"failed":0,"in_progress":0,"succeeded":0},"verification":null}';
    const sha256 = createHash('sha256').update(canonical).digest('hex');
    for (const commit of [null, '9fceb02', 'f'.repeat(39), 'f'.repeat(63)])
      expect(said(NO_FACTS, commit).subject[0]?.digest, String(commit)).to.deep.equal({ sha256 });
    expect(said(NO_FACTS, 'f'.repeat(64)).subject[0]?.digest).to.deep.equal({ gitCommit: 'f'.repeat(64) });
    expect(said(FACTS, null).subject[0]?.digest).not.to.deep.equal({ sha256 });
  });

  it('says as of when the issues are known and whether all are, where the facts do', () => {
    const statement = said({ ...FACTS, issuesAsOf: 1000, issuesPending: true }, null);
    expect(statement.predicate.facts).to.include({
      issues_as_of: '1970-01-01T00:00:01.000Z',
      issues_pending: true,
    });
    expect(said(FACTS, null).predicate.facts).not.to.have.any.keys('issues_as_of', 'issues_pending');
  });
});

const anySource = fc.option(
  fc.record({ lastAt: fc.integer({ min: 0, max: 2_000_000_000_000 }), medianMs: fc.option(fc.nat(10 ** 9)) }),
);
const anySources = fc.option(fc.record({ sources: fc.record({ deployments: anySource, testRuns: anySource }) }), {
  nil: {},
});

describe('a verdict of anything', () => {
  const signer = verdictSigner({ secretKey: new Uint8Array(32) });

  const carried = async (facts: ReleaseFacts, policy: Policy, waivers: readonly Waiver[], asOf: number) => {
    const verdict = verdictOf({ facts, policy, waivers, asOf, commit: null, releaseId: waivers[0]?.releaseId ?? ID });
    const envelope = await signer.sign(JSON.stringify(wireStatement(verdict, '1.2.3')));
    // As it would lie in a file, beside the keys in another one.
    const [sent, keys] = [envelope, wireVerdictKeys(await signer.keys())].map((one) => JSON.parse(JSON.stringify(one)));
    return (await verifyVerdict(sent, keys)).statement;
  };

  it('is recomputed to the same report to the byte, once it was signed, sent and verified', () =>
    fc.assert(
      fc.asyncProperty(anyCase, anySources, fc.nat(10 ** 9), async ({ facts: some, policy, waivers }, more, later) => {
        const facts = { ...some, ...more };
        const asOf = Date.UTC(2024, 4, 1, 12) + later;
        // Only what a policy says by default is filled in on the way.
        const whole = {
          ...policy,
          stabilityBound: policy.stabilityBound ?? 'rate',
          silenceHours: policy.silenceHours ?? null,
        } as const;
        const { predicate } = await carried(facts, whole, waivers, asOf);
        const again = recomputeVerdict(predicate);
        expect(again.outcome).to.equal('agrees');
        const report = again.outcome === 'agrees' ? again.report : null;
        expect(JSON.stringify(report)).to.equal(JSON.stringify(assessRelease(facts, policy, asOf, waivers)));
      }),
      { numRuns: 300 },
    ));
});

describe('the keys of verdicts', () => {
  const stage = useStage();

  it('are for everybody, without a rate limit, and answer 304 when unchanged', async () => {
    const { anonymous } = stage().service;
    const { body, headers } = await anonymous.ok('readVerdictKeys');
    expect(body.keys).to.have.lengthOf(1);
    expect(body.keys[0]).to.include({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' });
    expect(headers).not.to.have.property('ratelimit');
    const again = await anonymous.ask('readVerdictKeys', { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again.status).to.equal(304);
  });

  it('are those of this service only', async () => {
    const { pipeline, inRelease } = stage();
    const { verdict } = (await pipeline.ok('readGate', { path: inRelease, query: { signed: true } })).body;
    const strange = await verdictSigner({ secretKey: new Uint8Array(32) }).keys();
    const [one] = (await stage().service.anonymous.ok('readVerdictKeys')).body.keys;
    if (one === undefined) throw new Error('there is no key');
    const keys = { keys: strange.map(({ keyid, x }) => ({ ...one, kid: keyid, x })) };
    const error = await verifyVerdict(verdict as VerdictEnvelope, keys).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(VerdictError).and.to.include({ code: 'unknown-key' });
  });
});

describe('a silent source on the wire', () => {
  it('tells moments as text and the limit in hours, as exact as it is', () => {
    const wire = silentSourceForm({
      source: 'test_runs',
      lastAt: 0,
      limitMs: 5_400_000,
      basis: 'rhythm',
      since: 5_400_000,
    });
    expectToFit(SilentSource, wire, 'The silence');
    expect(wire).to.deep.equal({
      source: 'test_runs',
      last_at: '1970-01-01T00:00:00.000Z',
      limit_hours: 1.5,
      basis: 'rhythm',
      since: '1970-01-01T01:30:00.000Z',
    });
  });
});
