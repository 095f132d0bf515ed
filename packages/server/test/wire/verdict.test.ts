import { createHash } from 'node:crypto';
import { verdictSigner } from '@shipworthy/adapters/crypto';
import { VerdictStatement } from '@shipworthy/client/contract';
import { verifyVerdict } from '@shipworthy/client/verify';
import { assessRelease, type Policy, type ReleaseFacts, recomputeVerdict, type Waiver } from '@shipworthy/domain';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import { wireStatement, wireVerdictKeys } from '../../src/wire/verdict.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, ID, NO_FACTS } from './judged-release.js';
import { verdictOf } from './judged-verdict.js';

/** What is signed; it keeps to the contract whatever the facts. */
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
