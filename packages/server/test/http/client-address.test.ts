import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { addressOf } from '../../src/http/client-address.js';

const from = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('addressOf', () => {
  it('believes no header without proxies', () => {
    expect(addressOf(from('::ffff:10.0.0.1', '1.2.3.4'), 0)).to.equal('10.0.0.1');
    expect(addressOf(from(undefined), 0)).to.equal('');
  });

  it('believes as many entries from the end as there are proxies', () => {
    const request = from('10.0.0.1', '6.6.6.6, 1.2.3.4, 5.5.5.5');
    expect(addressOf(request, 1)).to.equal('5.5.5.5');
    expect(addressOf(request, 2)).to.equal('1.2.3.4');
    expect(addressOf(request, 9)).to.equal('6.6.6.6');
    expect(addressOf(from('10.0.0.1', ['1.1.1.1', '2001:db8::1']), 1)).to.equal('2001:db8::1');
  });

  it('falls back to the connection when the header is no address', () => {
    for (const header of [undefined, '', 'unknown', '<script>', '1.2.3.4:80'])
      expect(addressOf(from('10.0.0.1', header), 1), String(header)).to.equal('10.0.0.1');
  });
});
