import { expect } from 'chai';
import fc from 'fast-check';
import { VerdictError, verifyVerdict } from '../../src/verify/verify-verdict.js';
import { STATEMENT, signer } from './signed.js';

describe('verifyVerdict, on what was tampered with', () => {
  const ada = signer();
  const good = ada.envelope(STATEMENT);
  const sig = good.signatures[0]?.sig ?? '';

  const codeOf = async (envelope: unknown): Promise<string> => {
    try {
      await verifyVerdict(envelope, ada.keys);
      return 'believed';
    } catch (error) {
      if (error instanceof VerdictError) return error.code;
      throw error;
    }
  };

  /** The bytes with one of their bits turned over. */
  const turned = (base64: string, at: number): string => {
    const bytes = Buffer.from(base64, 'base64');
    const place = at % (bytes.length * 8);
    bytes[place >> 3] = (bytes[place >> 3] ?? 0) ^ (1 << (place & 7));
    return bytes.toString('base64');
  };

  it('refuses the payload with any bit turned over', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        expect(await codeOf({ ...good, payload: turned(good.payload, at) })).to.equal('bad-signature');
      }),
      { numRuns: 300 },
    ));

  it('refuses the signature with any of its 512 bits turned over', async () => {
    for (let at = 0; at < 512; at += 1) {
      const signatures = [{ keyid: ada.key.kid, sig: turned(sig, at) }];
      expect(await codeOf({ ...good, signatures }), String(at)).to.equal('bad-signature');
    }
  });

  it('refuses a signature or a payload that is cut short or goes on', async () => {
    const bytes = Buffer.from(sig, 'base64');
    const payload = Buffer.from(good.payload, 'base64');
    for (const odd of [bytes.subarray(1), bytes.subarray(0, 63), Buffer.concat([bytes, bytes]), Buffer.of()])
      expect(await codeOf({ ...good, signatures: [{ keyid: ada.key.kid, sig: odd.toString('base64') }] })).to.equal(
        'bad-signature',
      );
    for (const odd of [payload.subarray(1), payload.subarray(0, -1), Buffer.concat([payload, Buffer.of(32)])])
      expect(await codeOf({ ...good, payload: odd.toString('base64') })).to.equal('bad-signature');
  });

  it('answers exactly the signed statement or nothing, for any change of the envelope’s text', () => {
    const text = JSON.stringify(good);
    return fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(2), fc.string({ maxLength: 3 }), async (at, gone, put) => {
        let envelope: unknown;
        try {
          envelope = JSON.parse(text.slice(0, at) + put + text.slice(at + gone));
        } catch {
          return;
        }
        try {
          const { statement, keyid } = await verifyVerdict(envelope, ada.keys);
          expect(statement).to.deep.equal(STATEMENT);
          expect(keyid).to.equal(ada.key.kid);
        } catch (error) {
          expect(error).to.be.instanceOf(VerdictError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
