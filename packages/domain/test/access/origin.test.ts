import { expect } from 'chai';
import { networkOf } from '../../src/access/origin.js';

describe('The network of an address', () => {
  it('is an IPv4 address, also one that is written as IPv6', () => {
    for (const text of ['1.2.3.4', '::ffff:1.2.3.4', '::FFFF:1.2.3.4', '0:0:0:0:0:ffff:102:304', '::ffff:102:304'])
      expect(networkOf(text), text).to.equal('1.2.3.4');
  });
  it('is the subscriber of an IPv6 address, however it is spelt', () => {
    for (const text of [
      '2001:db8:0:1:2:3:4:5',
      '2001:DB8:0:1::',
      '2001:0db8:0000:0001:ffff::1',
      '2001:db8::1:0:0:1.2.3.4',
      '2001:db8:0:1::1%eth0',
    ])
      expect(networkOf(text), text).to.equal('2001:db8:0:1::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::')).to.equal('fe80:0:0:0::/64');
  });
  it('is what it was given where that is no address', () => {
    expect(networkOf('')).to.equal('');
  });
});
