import { expect } from 'chai';
import { envelopeOf, preAuthenticationEncoding } from '../../src/crypto/dsse.js';

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
