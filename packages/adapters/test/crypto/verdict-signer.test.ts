import { createPublicKey, sign, verify } from 'node:crypto';
import type { SignedEnvelope, VerdictKey } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import {
  envelopeOf,
  isPublicKeyText,
  preAuthenticationEncoding,
  privateKeyOf,
  publicKeyOf,
  verdictKey,
  verdictSigner,
} from '../../src/crypto/verdict-signer.js';

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
    // The key in use may be in the list too, which prepares a rotation.
    expect(await verdictSigner({ secretKey, formerKeys: [x] }).keys()).to.deep.equal([former]);
  });
  it('refuses what is no key', () => {
    expect(() => verdictSigner({ secretKey: new Uint8Array(31) })).to.throw(RangeError);
    expect(() => verdictSigner({ secretKey, formerKeys: ['abc'] })).to.throw(RangeError);
  });
});

/** RFC 8032, section 7.1: secret key, public key, message, signature. */
const VECTORS = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('A key of verdicts', () => {
  for (const [secret, open, message, signature] of VECTORS)
    it(`is the one RFC 8032 makes of ${secret.slice(0, 8)}, and signs so`, () => {
      const key = privateKeyOf(bytes(secret));
      expect(publicKeyOf(key).x).to.equal(bytes(open).toString('base64url'));
      expect(sign(null, bytes(message), key).toString('hex')).to.equal(signature);
      expect(verify(null, bytes(message), key, bytes(signature))).to.equal(true);
    });
  it('is named by the thumbprint that RFC 8037 shows for it', () => {
    expect(verdictKey(bytes(VECTORS[0][1]).toString('base64url')).keyid).to.equal(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
  });
  it('is written in one way only', () => {
    const text = bytes(VECTORS[0][1]).toString('base64url');
    expect(isPublicKeyText(text)).to.equal(true);
    for (const wrong of ['', text.slice(1), `${text}=`, `${text}A`, text.replace('_', '/'), ` ${text}`])
      expect(isPublicKeyText(wrong), wrong).to.equal(false);
    // Its last character has two bits to spare.
    expect(isPublicKeyText(`${text.slice(0, -1)}p`)).to.equal(false);
  });
});

describe('The envelope of DSSE', () => {
  it('encodes what is signed as the specification shows it', () => {
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(encoded.toString()).to.equal('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });
  it('counts bytes, not characters', () => {
    expect(preAuthenticationEncoding('a/ü', Buffer.from('Ω!')).toString()).to.equal('DSSEv1 4 a/ü 3 Ω!');
  });
  it('holds the payload and the signature in base64, and names the key', () => {
    let signed = '';
    const made = envelopeOf('http://example.com/HelloWorld', 'hello world', 'key-1', (bytes) => {
      signed = Buffer.from(bytes).toString();
      return Buffer.from([0xfb, 0xff]);
    });
    expect(signed).to.equal('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
    expect(made).to.deep.equal({
      payloadType: 'http://example.com/HelloWorld',
      payload: 'aGVsbG8gd29ybGQ=',
      signatures: [{ keyid: 'key-1', sig: '+/8=' }],
    });
  });
});
