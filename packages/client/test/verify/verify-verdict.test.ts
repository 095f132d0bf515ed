import { expect } from 'chai';
import {
  VerdictError,
  type VerdictErrorCode,
  type VerdictKeys,
  verifyVerdict,
} from '../../src/verify/verify-verdict.js';
import { STATEMENT, signer } from './signed.js';

const refused = async (envelope: unknown, keys: VerdictKeys, code: VerdictErrorCode): Promise<void> => {
  try {
    await verifyVerdict(envelope, keys);
  } catch (error) {
    expect(error).to.be.instanceOf(VerdictError);
    expect((error as VerdictError).code).to.equal(code);
    expect((error as VerdictError).message).to.match(/\.$/);
    return;
  }
  throw new Error(`believed, instead of ${code}`);
};

describe('verifyVerdict', () => {
  const ada = signer();
  const eve = signer();
  const good = ada.envelope(STATEMENT);
  const [signature] = good.signatures;

  it('answers what was signed, and by which key', async () => {
    const { statement, keyid } = await verifyVerdict(good, { keys: [eve.key, ada.key] });
    expect(statement).to.deep.equal(STATEMENT);
    expect(keyid).to.equal(ada.key.kid);
  });

  it('answers only what was signed', async () => {
    const { statement } = await verifyVerdict({ ...good, statement: {}, decision: 'go' }, ada.keys);
    expect(statement).to.deep.equal(STATEMENT);
  });

  it('reads base64 for URLs and without padding, as DSSE allows', async () => {
    const loose = (text: string) => Buffer.from(text, 'base64').toString('base64url');
    const signatures = good.signatures.map(({ keyid, sig }) => ({ keyid, sig: loose(sig) }));
    const { statement } = await verifyVerdict({ ...good, payload: loose(good.payload), signatures }, ada.keys);
    expect(statement).to.deep.equal(STATEMENT);
  });

  it('believes one good signature of several, by a known key', async () => {
    const strange = eve.envelope(STATEMENT).signatures;
    const both = { ...good, signatures: [...strange, ...good.signatures] };
    expect((await verifyVerdict(both, ada.keys)).keyid).to.equal(ada.key.kid);
    const twins = { keys: [{ ...eve.key, kid: ada.key.kid }, ada.key] };
    expect((await verifyVerdict(good, twins)).keyid).to.equal(ada.key.kid);
  });

  it('does not know who signs with another key', async () => {
    await refused(good, eve.keys, 'unknown-key');
    await refused(good, { keys: [] as unknown as VerdictKeys['keys'] }, 'unknown-key');
    for (const odd of [{ crv: 'X25519' }, { kty: 'EC' }, { x: 'AAAA' }, { x: 7 }])
      await refused(good, { keys: [{ ...ada.key, ...odd }] } as unknown as VerdictKeys, 'unknown-key');
  });

  it('refuses a signature under the id of another key', async () => {
    const { payloadType, payload, signatures } = eve.envelope(STATEMENT);
    const borrowed = signatures.map(({ sig }) => ({ keyid: ada.key.kid, sig }));
    await refused({ payloadType, payload, signatures: borrowed }, ada.keys, 'bad-signature');
  });

  it('refuses another payload under the same signature', async () => {
    const changed = { ...STATEMENT, predicate: { ...STATEMENT.predicate, result: { score: 100, decision: 'go' } } };
    await refused({ ...good, payload: eve.envelope(changed).payload }, ada.keys, 'bad-signature');
  });

  it('refuses what states something else, signed or not', async () => {
    await refused({ ...good, payloadType: 'application/json' }, ada.keys, 'wrong-type');
    await refused(ada.envelope(STATEMENT, 'application/json'), ada.keys, 'wrong-type');
    await refused(ada.envelope({ ...STATEMENT, _type: 'https://in-toto.io/Statement/v0.1' }), ada.keys, 'wrong-type');
    const slsa = { ...STATEMENT, predicateType: 'https://slsa.dev/provenance/v1' };
    await refused(ada.envelope(slsa), ada.keys, 'wrong-type');
  });

  it('refuses what is no envelope', async () => {
    const { payload, signatures, ...rest } = good;
    const sig = signature?.sig ?? '';
    for (const odd of [
      undefined,
      null,
      'text',
      [],
      {},
      { ...rest, signatures },
      { ...rest, payload: 7, signatures },
      { ...rest, payload },
      { ...rest, payload, signatures: [] },
      { ...rest, payload, signatures: [null] },
      { ...rest, payload, signatures: [{ sig }] },
      { ...rest, payload, signatures: [{ keyid: ada.key.kid, sig: '%%%' }] },
      { ...rest, payload: `${payload.slice(0, 8)}\n${payload.slice(8)}`, signatures },
      { ...rest, payload: 'a', signatures },
      // The last of two characters has four bits to spare.
      { ...rest, payload: 'e5==', signatures },
    ])
      await refused(odd, ada.keys, 'malformed');
  });

  it('refuses a signed payload that is no verdict by its form', async () => {
    const { predicate } = STATEMENT;
    for (const odd of [
      'no JSON',
      '[]',
      { ...STATEMENT, subject: [] },
      { ...STATEMENT, subject: [{ name: 'x' }] },
      { ...STATEMENT, predicate: null },
      { ...STATEMENT, predicate: { ...predicate, facts: undefined } },
      { ...STATEMENT, predicate: { ...predicate, policy: [] } },
      { ...STATEMENT, predicate: { ...predicate, waivers: {} } },
      { ...STATEMENT, predicate: { ...predicate, as_of: 0 } },
    ])
      await refused(ada.envelope(odd), ada.keys, 'malformed');
  });
});
