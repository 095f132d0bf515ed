import { expect } from 'chai';
import fc from 'fast-check';
import { VerdictError, type VerdictKeys, verifyVerdict } from '../../src/verify/verify-verdict.js';
import { STATEMENT, signer } from './signed.js';

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
});

describe('verifyVerdict, handed something else', () => {
  const ada = signer();
  const good = ada.envelope(STATEMENT);

  /** The code of the refusal; anything else that is thrown fails the test. */
  const refusal = async (envelope: unknown, jwks: unknown): Promise<string> => {
    try {
      await verifyVerdict(envelope, jwks as VerdictKeys);
      return 'believed';
    } catch (error) {
      if (error instanceof VerdictError) return error.code;
      throw error;
    }
  };
  const trap = (): never => {
    throw new Error('a trap');
  };
  const revoked = (): unknown => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  };

  it('trusts no key without a JWK Set', async () => {
    for (const odd of [
      null,
      undefined,
      7,
      'text',
      [],
      {},
      { keys: null },
      { keys: {} },
      { keys: 'x' },
      { keys: new Array(2 ** 32 - 1) },
      [ada.key],
    ])
      expect(await refusal(good, odd)).to.equal('unknown-key');
    for (const odd of [revoked(), new Proxy({}, { get: trap }), { keys: revoked() }, { keys: [revoked()] }])
      expect(await refusal(good, odd)).to.equal('unknown-key');
    expect(await refusal(good, { keys: [null, 7, ada.key] })).to.equal('believed');
  });

  it('takes no key whose text is not base64url, however leniently a runtime reads it', async () => {
    const { x } = ada.key;
    for (const odd of [`${x}=`, ` ${x}`, `${x}\n`, `${x.slice(0, 9)}.${x.slice(9)}`, `${x}A`, x.slice(1)])
      expect(await refusal(good, { keys: [{ ...ada.key, x: odd }] }), odd).to.equal('unknown-key');
  });

  it('refuses an envelope that does not let itself be read', async () => {
    for (const odd of [
      revoked(),
      new Proxy({}, { get: trap }),
      { ...good, signatures: revoked() },
      { ...good, signatures: new Array(1) },
      { ...good, signatures: new Array(2 ** 32 - 1) },
      { ...good, signatures: [revoked()] },
      Object.defineProperty({ ...good }, 'payload', { get: trap }),
    ])
      expect(await refusal(odd, ada.keys)).to.equal('malformed');
  });

  it('refuses with a VerdictError for any input', () =>
    fc.assert(
      fc.asyncProperty(anything, anything, async (envelope, jwks) => {
        expect(await refusal(envelope, jwks)).to.equal('malformed');
      }),
      { numRuns: 1_000 },
    ));

  it('refuses with a VerdictError any value in place of a member', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('payloadType', 'payload', 'signatures', 'keyid', 'sig'),
        anything,
        async (name, put) => {
          const signatures = good.signatures.map((one) => (name in one ? { ...one, [name]: put } : one));
          expect(
            await refusal({ ...good, signatures, ...(name in good ? { [name]: put } : {}) }, ada.keys),
          ).not.to.equal('believed');
        },
      ),
      { numRuns: 1_000 },
    ));

  it('refuses with a VerdictError any value given as a key', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom('kty', 'crv', 'x', 'kid', 'all'), anything, async (name, put) => {
        const key = name === 'all' ? put : { ...ada.key, [name]: put };
        expect(await refusal(good, { keys: [key] })).to.equal('unknown-key');
      }),
      { numRuns: 1_000 },
    ));
});
