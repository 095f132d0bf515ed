import { hookSender } from '@shipworthy/adapters/hook-sender';
import { parsedUrl } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';

describe('web addresses', () => {
  const { refusal } = hookSender({ secretKey: new Uint8Array(32) });
  const isNone = (text: string): boolean => refusal(text) === 'This is no address.';

  it('are the same to the contract and to what sends webhooks', () => {
    const part = fc.constantFrom('a', '\u4e00', '.', '\u3002', '@', ':', '/', '\\', '?', '#', '[', ']', ' ', '8');
    const long = fc.tuple(part, fc.integer({ min: 1, max: 300 })).map(([text, times]) => text.repeat(times));
    const rest = fc.array(fc.oneof(part, long), { maxLength: 8 }).map((parts) => parts.join(''));
    const start = fc.constantFrom(
      'https://',
      'http:',
      ' HTTP:\\\\',
      'https://acme.dev',
      '//',
      'ftp://',
      'wss:',
      '\x01file:',
      'h\ttps:/\n',
      '',
    );
    const address = fc.tuple(start, rest).map((parts) => parts.join(''));
    fc.assert(
      fc.property(address, (text) => {
        expect(isNone(text)).to.equal(parsedUrl(text) === undefined);
      }),
      { numRuns: 3_000, examples: [[`https://${'a'.repeat(64)}.dev/`], [`https://${'a.'.repeat(126)}a/`]] },
    );
  });

  it('are none where a host is longer than names of hosts are, which takes long to parse', () => {
    const host = Array.from({ length: 700_000 }, (_, nth) => String.fromCodePoint(0x4e00 + (nth % 20_000))).join('');
    for (const start of ['https://', 'ws://', 'ftp:', 'file://', '\x01 https://', 'h\nttps:/\t/', '\\\\'])
      for (const isRefused of [isNone, (text: string) => parsedUrl(text, 'https://acme.dev') === undefined])
        expect(isRefused(start + host), JSON.stringify(start)).to.equal(true);
  });
});
