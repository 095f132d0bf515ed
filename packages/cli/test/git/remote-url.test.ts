import { expect } from 'chai';
import fc from 'fast-check';
import { httpsUrlOf, readRemoteUrl, samePlace, withoutUserinfo } from '../../src/git/remote-url.js';

const read = (text: string) => readRemoteUrl(text) ?? expect.fail(`${text} was not understood`);

describe('readRemoteUrl', () => {
  for (const text of [
    'https://forge.example/acme/shop',
    'https://forge.example/acme/shop.git',
    'https://Forge.Example/Acme/Shop.git/',
    'https://ada@forge.example/acme/shop.git',
    'git@forge.example:acme/shop.git',
    'forge.example:acme/shop',
    'ssh://git@forge.example/acme/shop.git',
    'ssh://git@forge.example:2222/acme/shop',
    'git+ssh://git@forge.example/acme/shop',
  ])
    it(`takes ${text} for the same repository`, () => {
      expect(samePlace(read(text), read('https://forge.example/acme/shop'))).to.equal(true);
      expect(httpsUrlOf(read(text)).toLowerCase()).to.equal('https://forge.example/acme/shop.git');
    });

  it('tells other repositories, hosts and ports apart', () => {
    const shop = read('https://forge.example/acme/shop');
    for (const text of [
      'https://forge.example/acme/shops',
      'https://forge.example.evil.example/acme/shop',
      'https://forge.example:8443/acme/shop',
      'git@other.example:acme/shop.git',
    ])
      expect(samePlace(read(text), shop), text).to.equal(false);
  });

  it('understands no folder', () => {
    for (const text of ['/srv/shop.git', '../shop', 'C:/shop', 'C:\\shop', 'file:///srv/shop', 'ext::sh -c x', ''])
      expect(readRemoteUrl(text), text).to.equal(undefined);
  });

  it('finds the secret of an address, and none in a user name', () => {
    expect(read('https://ada:p%40ss@forge.example/a/b').secret).to.equal('p@ss');
    expect(read(`https://ghp_${'a'.repeat(36)}@forge.example/a/b`).secret).to.match(/^ghp_/);
    expect(read('https://ada@forge.example/a/b').secret).to.equal(null);
    expect(read('git@forge.example:a/b').secret).to.equal(null);
  });

  it('keeps the port of HTTPS and forgets the one of SSH', () => {
    expect(httpsUrlOf(read('https://forge.example:8443/a/b'))).to.equal('https://forge.example:8443/a/b.git');
    expect(httpsUrlOf(read('ssh://git@forge.example:2222/a/b'))).to.equal('https://forge.example/a/b.git');
  });
});

describe('withoutUserinfo', () => {
  it('takes out every user and password', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_.~%!$&+,;=-]{8,20}$/);
    fc.assert(
      fc.property(word, word, (user, password) => {
        const text = withoutUserinfo(`fatal: unable to access 'https://${user}:${password}@forge.example/a/b/': no`);
        expect(text).to.equal("fatal: unable to access 'https://forge.example/a/b/': no");
      }),
    );
  });
});
