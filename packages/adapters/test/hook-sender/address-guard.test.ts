import { expect } from 'chai';
import {
  addressGuard,
  isTarget,
  nameResolver,
  parsedNetwork,
  type Resolve,
} from '../../src/hook-sender/address-guard.js';

const REFUSED =
  `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::7f00:1
  64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1 5f00::1
  fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 no-address 1.2.3 999.1.1.1`.split(/\s+/);
const ADMITTED =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255 2001:4860:4860::8888
  2606:4700:4700::1111 2a00:1450::1 3ffe::1`.split(/\s+/);

describe('the guard of addresses', () => {
  const guard = addressGuard([]);
  for (const address of REFUSED) it(`refuses ${address}`, () => expect(guard.admits(address)).to.equal(false));
  for (const address of ADMITTED) it(`admits ${address}`, () => expect(guard.admits(address)).to.equal(true));

  it('admits what is named as a target, and nothing beside it', () => {
    const named = addressGuard(['10.2.0.0/16', '127.0.0.1', 'fd12::/64', 'Hooks.internal']);
    for (const address of ['10.2.0.0', '10.2.255.255', '127.0.0.1', 'fd12::9', '8.8.8.8'])
      expect(named.admits(address), address).to.equal(true);
    for (const address of ['10.3.0.0', '10.1.255.255', '127.0.0.2', 'fd12:0:0:1::9', '::ffff:127.0.0.1', '::1'])
      expect(named.admits(address), address).to.equal(false);
    expect(named.names('hooks.INTERNAL')).to.equal(true);
    expect(named.names('more.hooks.internal')).to.equal(false);
  });

  it('knows a target when it sees one', () => {
    for (const text of ['10.0.0.0/8', '::1', 'fd00::/8', 'hooks', 'hooks.acme.internal', 'a_b.c'])
      expect(isTarget(text), text).to.equal(true);
    for (const text of [
      '',
      '10.0.0.0/33',
      'fd00::/129',
      'http://hooks',
      'a b',
      'hooks:80',
      '-a',
      '10.0.0.0/8/8',
      '1.1.1.1/x',
    ])
      expect(isTarget(text), text).to.equal(false);
    expect(parsedNetwork('fe80::1%eth0')).to.equal(undefined);
  });
});

const UNKNOWN = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });

/** Sources that note what they are asked for; those of the system answer when the test says so. */
const sources = (known: Readonly<Record<string, string>> = {}) => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const servers: Resolve = async (host) => {
    asked.push(`servers ${host}`);
    const address = known[host];
    if (address === undefined) throw UNKNOWN;
    return [address];
  };
  const system: Resolve = (host) => {
    asked.push(`system ${host}`);
    return new Promise((resolve) => answers.push(() => resolve([`10.0.0.${host.length}`])));
  };
  return { asked, answers, servers, system };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('looking up the names of receivers', () => {
  it('asks the name servers, and the system for what they do not know', async () => {
    const { asked, answers, ...given } = sources({ 'hooks.example': '93.184.216.34' });
    const resolve = nameResolver(() => false, given);
    expect(await resolve('hooks.example')).to.deep.equal(['93.184.216.34']);
    const local = resolve('local');
    await turn();
    expect(asked).to.deep.equal(['servers hooks.example', 'servers local', 'system local']);
    for (const answer of answers) answer();
    expect(await local).to.deep.equal(['10.0.0.5']);
  });

  it('asks the system for one name at a time, and for none after its caller stopped waiting', async () => {
    const { asked, answers, ...given } = sources({ 'hooks.example': '93.184.216.34' });
    const resolve = nameResolver(() => false, given);
    const gone = new AbortController();
    const first = resolve('a');
    const second = resolve('bb', gone.signal).catch((error: NodeJS.ErrnoException) => error.code);
    const third = resolve('ccc');
    await turn();
    expect(asked.filter((one) => one.startsWith('system'))).to.deep.equal(['system a']);
    expect(await resolve('hooks.example'), 'others wait for none of them').to.deep.equal(['93.184.216.34']);
    gone.abort();
    answers.shift()?.();
    expect(await first).to.deep.equal(['10.0.0.1']);
    expect(await second).to.equal('ENOTFOUND');
    await turn();
    expect(asked.filter((one) => one.startsWith('system'))).to.deep.equal(['system a', 'system ccc']);
    answers.shift()?.();
    expect(await third).to.deep.equal(['10.0.0.3']);
  });

  it('asks for a name once at a time, and anew once it was answered', async () => {
    const { asked, answers, ...given } = sources();
    const resolve = nameResolver(() => false, given);
    const all = Promise.all([resolve('a'), resolve('a'), resolve('a')]);
    await turn();
    answers.shift()?.();
    expect(await all).to.deep.equal([['10.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]);
    const again = resolve('a');
    await turn();
    answers.shift()?.();
    await again;
    expect(asked).to.deep.equal(['servers a', 'system a', 'servers a', 'system a']);
  });

  it('asks the system at once for what the operator named', async () => {
    const { asked, answers, ...given } = sources();
    const resolve = nameResolver((host) => host === 'inside', given);
    const held = resolve('held');
    await turn();
    const inside = resolve('inside');
    await turn();
    expect(asked).to.deep.equal(['servers held', 'system held', 'system inside']);
    for (const answer of answers) answer();
    expect([await held, await inside]).to.deep.equal([['10.0.0.4'], ['10.0.0.6']]);
  });

  it('goes on after the system found nothing', async () => {
    const failing: Resolve = () => Promise.reject(UNKNOWN);
    const resolve = nameResolver(() => false, { servers: failing, system: failing });
    for (const host of ['a', 'b']) expect(await resolve(host).catch((error: unknown) => error)).to.equal(UNKNOWN);
  });
});
