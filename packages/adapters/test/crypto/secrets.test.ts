import { secrets } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import { isWellFormedApiKey } from '../../src/crypto/api-key-text.js';

describe('secrets', () => {
  it('hash with SHA-256, in hexadecimal', () => {
    const { hash } = secrets();
    expect(hash('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hash('')).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('make API keys and tokens that are never the same', () => {
    const { newApiKey, newToken } = secrets();
    const tokens = Array.from({ length: 200 }, newToken);
    for (const token of tokens) expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).to.equal(200);
    expect(isWellFormedApiKey(newApiKey())).to.equal(true);
  });

  it('hash passwords at the full cost, and tell the right one', async () => {
    const { hashPassword, verifyPassword } = secrets();
    const stored = await hashPassword('correct horse battery');
    expect(stored).to.match(/^\$scrypt\$ln=17,r=8,p=1\$/);
    const answers = [verifyPassword('correct horse battery', stored), verifyPassword('wrong', stored)];
    expect(await Promise.all(answers)).to.deep.equal([true, false]);
  });

  it('compute two hashes of passwords at a time, let a hundred more wait, and refuse the next', async () => {
    const { hashPassword } = secrets({ cost: { ln: 10, r: 8, p: 1 } });
    const answers = await Promise.allSettled(Array.from({ length: 103 }, () => hashPassword('a password')));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).to.deep.equal(['unavailable']);
    expect(answers.at(-1)).to.equal(refused[0]);
  });

  it('answer false for an unknown user, for whom the same is computed', async () => {
    const { hashPassword, verifyPassword } = secrets({ cost: { ln: 14, r: 8, p: 1 } });
    const stored = await hashPassword('secret');
    const took = async (against: string | undefined): Promise<number> => {
      const begun = process.cpuUsage();
      for (let round = 0; round < 5; round += 1) expect(await verifyPassword('wrong', against)).to.equal(false);
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    await took(stored);
    const [known, unknown] = [await took(stored), await took(undefined)];
    // A look-up that skips scrypt is a thousand times quicker; anything near is the same work.
    expect(unknown).to.be.above(known / 10);
    expect(known).to.be.above(unknown / 10);
  });
});
