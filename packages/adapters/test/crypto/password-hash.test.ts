import { expect } from 'chai';
import { DEFAULT_COST, hashPassword, verifyPassword } from '../../src/crypto/password-hash.js';

const CHEAP = { ln: 4, r: 8, p: 1 };

/** RFC 7914, section 12: "pleaseletmein" with "SodiumChloride", N = 16384, r = 8, p = 1. */
const RFC_7914 =
  '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
  'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887';

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

describe('password hashes', () => {
  it('agree with the test vector of RFC 7914', async () => {
    const salt = base64(Buffer.from('SodiumChloride'));
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${base64(Buffer.from(RFC_7914, 'hex'))}`;
    expect(await verifyPassword('pleaseletmein', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('pleaseletmeIn', stored, CHEAP)).to.equal(false);
  });

  it('name their parameters and have a salt of their own', async () => {
    const [one, two] = [await hashPassword('secret', CHEAP), await hashPassword('secret', CHEAP)];
    expect(one).to.match(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.to.equal(two);
    expect(DEFAULT_COST).to.deep.equal({ ln: 17, r: 8, p: 1 });
  });

  it('are verified by the parameters they name', async () => {
    const stored = await hashPassword('secret', { ln: 5, r: 4, p: 2 });
    expect(await verifyPassword('secret', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('Secret', stored, CHEAP)).to.equal(false);
    expect(await verifyPassword('', stored, CHEAP)).to.equal(false);
  });

  it('are read up to the bounds of what is ever computed', async () => {
    for (const cost of [
      { ln: 1, r: 1, p: 1 },
      { ln: 1, r: 32, p: 16 },
    ]) {
      expect(await verifyPassword('secret', await hashPassword('secret', cost), CHEAP)).to.equal(true);
    }
    const beyond = await hashPassword('secret', { ln: 1, r: 33, p: 1 });
    expect(await verifyPassword('secret', beyond, CHEAP)).to.equal(false);
  });

  it('take the spellings of one character for the same', async () => {
    const stored = await hashPassword('caf\u00e9 👩‍🚀', CHEAP);
    expect(await verifyPassword('cafe\u0301 👩‍🚀', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('cafe 👩‍🚀', stored, CHEAP)).to.equal(false);
  });

  it('that are missing or unreadable verify nothing, not even zeros', async () => {
    const zeros = base64(Buffer.alloc(32));
    const unreadable = [
      undefined,
      '',
      'secret',
      '$scrypt$ln=40,r=8,p=1$AAAA$AAAA',
      `$scrypt$ln=30,r=8,p=1$AAAA$${zeros}`,
      `$scrypt$ln=4,r=99,p=1$AAAA$${zeros}`,
      '$scrypt$ln=4,r=8,p=1$AAAA$AAAA',
      `$argon2id$ln=4,r=8,p=1$AAAA$${zeros}`,
    ];
    for (const stored of unreadable) expect(await verifyPassword('', stored, CHEAP)).to.equal(false);
  });
});
