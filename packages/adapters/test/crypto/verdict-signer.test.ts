import { createPublicKey, verify } from 'node:crypto';
import type { SignedEnvelope, VerdictKey } from '@shipworthy/domain';
import { expect } from 'chai';
import { preAuthenticationEncoding } from '../../src/crypto/dsse.js';
import { verdictSigner } from '../../src/crypto/verdict-signer.js';

const secretKey = new Uint8Array(32).fill(7);
const STATEMENT = '{"_type":"https://in-toto.io/Statement/v1"}';

const isBy = ({ x }: VerdictKey, { payloadType, payload, signatures }: SignedEnvelope): boolean => {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = preAuthenticationEncoding(payloadType, Buffer.from(payload, 'base64'));
  return verify(null, signed, key, Buffer.from(signatures[0]?.sig ?? '', 'base64'));
};

describe('The signer of verdicts', () => {
  it('signs a statement under the key it publishes first', async () => {
    const signer = verdictSigner({ secretKey });
    const envelope = await signer.sign(STATEMENT);
    const [key] = await signer.keys();
    expect(envelope.payloadType).to.equal('application/vnd.in-toto+json');
    expect(Buffer.from(envelope.payload, 'base64').toString('utf8')).to.equal(STATEMENT);
    expect(envelope.signatures.map(({ keyid }) => keyid)).to.deep.equal([key?.keyid]);
    expect(key !== undefined && isBy(key, envelope)).to.equal(true);
  });
  it('is the same in every process that has the secret key, and in none that has not', async () => {
    const [one, same, other] = [secretKey, Uint8Array.from(secretKey), new Uint8Array(32).fill(8)].map((key) =>
      verdictSigner({ secretKey: key }),
    );
    expect(await same?.sign(STATEMENT)).to.deep.equal(await one?.sign(STATEMENT));
    expect(await same?.keys()).to.deep.equal(await one?.keys());
    expect((await other?.keys())?.[0]?.keyid).not.to.equal((await one?.keys())?.[0]?.keyid);
  });
  it('keeps what was signed before a rotation verifiable by the former key', async () => {
    const before = verdictSigner({ secretKey });
    const envelope = await before.sign(STATEMENT);
    const [former] = await before.keys();
    const x = former?.x ?? '';
    const after = verdictSigner({ secretKey: new Uint8Array(32).fill(8), formerKeys: [x, x] });
    const keys = await after.keys();
    expect(keys).to.have.lengthOf(2);
    expect(keys[1]).to.deep.equal(former);
    expect(keys.map((key) => isBy(key, envelope))).to.deep.equal([false, true]);
    // The key in use may stand in the list too, which is how a rotation is prepared.
    expect(await verdictSigner({ secretKey, formerKeys: [x] }).keys()).to.deep.equal([former]);
  });
  it('refuses what is no key', () => {
    expect(() => verdictSigner({ secretKey: new Uint8Array(31) })).to.throw(RangeError);
    expect(() => verdictSigner({ secretKey, formerKeys: ['abc'] })).to.throw(RangeError);
  });
});
