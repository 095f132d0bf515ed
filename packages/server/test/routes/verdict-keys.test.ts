import { verdictSigner } from '@shipworthy/adapters/crypto';
import type { VerdictEnvelope } from '@shipworthy/client/contract';
import { VerdictError, verifyVerdict } from '@shipworthy/client/verify';
import { expect } from 'chai';
import { useStage } from '../harness/stage.js';

describe('the keys of verdicts', () => {
  const stage = useStage();

  it('are for everybody, uncounted, and tell when they are the same', async () => {
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
