import { expect } from 'chai';
import { addressGuard, isTarget, parsedNetwork } from '../../src/hook-sender/address-guard.js';

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
