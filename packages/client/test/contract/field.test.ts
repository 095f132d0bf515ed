import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../src/contract/field.js';
import { parsedUrl } from '../../src/contract/path.js';

describe('formats', () => {
  it('take one line of well-formed text and nothing with a control character', () => {
    for (const fit of ['a', 'Grüße, 世界', '👍', ' spaces stay ', 'a\u2028b'])
      expect(FORMATS.text(fit), fit).to.equal(true);
    for (const unfit of ['\u0000', 'a\nb', '\u007f', '\u0085', 'a\ud800', '\udc00b', 'tab\t']) {
      expect(FORMATS.text(unfit), JSON.stringify(unfit)).to.equal(false);
    }
  });

  it('take text for people only where something can be seen', () => {
    for (const fit of ['', '-', '0', '…', '¿', '\u0301e', 'שלום', 'العربية\u200f!', 'क', '\u200bx'])
      expect(FORMATS.text(fit), fit).to.equal(true);
    for (const unfit of [' ', '\u00a0', '\u200b', '\ufeff', '\u2028', '\u0301', '\u3164', '\u2800 ', '\u{e0001}']) {
      expect(FORMATS.text(unfit), JSON.stringify(unfit)).to.equal(false);
      expect(FORMATS.characters(unfit), JSON.stringify(unfit)).to.equal(true);
    }
  });

  it('take nothing for people that shows itself in another order', () => {
    for (const mark of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      expect(FORMATS.text(`${mark}gnp.exe`), JSON.stringify(mark)).to.equal(false);
      expect(FORMATS.email(`a${mark}@acme.dev`), JSON.stringify(mark)).to.equal(false);
      expect(FORMATS['http-url'](`https://a.example/${mark}`), JSON.stringify(mark)).to.equal(false);
    }
  });

  it('take UUIDs in either case only', () => {
    expect(FORMATS.uuid('01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e')).to.equal(true);
    expect(FORMATS.uuid('01932C7E-5A10-7CC3-9B1E-3F2A4B5C6D7E')).to.equal(true);
    for (const unfit of [
      '',
      'checkout',
      '01932c7e5a107cc39b1e3f2a4b5c6d7e',
      '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e\n',
    ]) {
      expect(FORMATS.uuid(unfit), unfit).to.equal(false);
    }
  });

  it('take e-mail addresses with one @ between two parts', () => {
    for (const fit of ['ada@acme.dev', 'a+b@localhost', 'ü@müller.de']) expect(FORMATS.email(fit), fit).to.equal(true);
    for (const unfit of ['ada', '@acme.dev', 'ada@', 'a@b@c', 'a b@acme.dev', 'ada@acme.dev\n']) {
      expect(FORMATS.email(unfit), unfit).to.equal(false);
    }
  });

  it('take every moment JavaScript writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) =>
        FORMATS.timestamp(date.toISOString()),
      ),
    );
  });

  it('take RFC 3339 times on days that exist, without leap seconds', () => {
    for (const fit of ['2024-02-29T00:00:00Z', '2026-11-20T23:59:59.123456789+05:30', '2000-02-29T12:00:00-00:00']) {
      expect(FORMATS.timestamp(fit), fit).to.equal(true);
    }
    const unfit = [
      '2025-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2026-11-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T23:59:60Z',
      '2026-11-20T23:60:00Z',
      '1970-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '2026-11-20T10:00:00',
      '2026-11-20 10:00:00Z',
      '2026-11-20',
      '2026-11-20T10:00:00+24:00',
      '2026-11-20T10:00:00.Z',
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:30:00+01:00',
      '9999-12-31T23:30:00-01:00',
      'yesterday',
    ];
    for (const text of unfit) expect(FORMATS.timestamp(text), text).to.equal(false);
  });

  it('take http and https addresses only', () => {
    for (const fit of ['https://ci.acme.dev/runs/1?x=y#z', 'http://localhost:8080', 'HTTPS://ACME.DEV/ü']) {
      expect(FORMATS['http-url'](fit), fit).to.equal(true);
    }
    const unfit = [
      'javascript:alert(1)',
      'ftp://acme.dev',
      '//acme.dev',
      'https://',
      'https:acme.dev',
      'https://a b',
      'x',
    ];
    for (const text of [
      ...unfit,
      'https://acme.dev\\@evil.dev',
      'https://acme.dev/\n',
      'https://[::1',
      'https://ada:pw@acme.dev/',
      'https://t0ken@acme.dev',
    ]) {
      expect(FORMATS['http-url'](text), text).to.equal(false);
    }
  });

  it('takes no host that is longer than names of hosts are, which would take long to read', () => {
    const label = 'a'.repeat(63);
    const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;
    for (const host of [longest, `${longest}:8080`, '[2001:db8::1]:80', `${'\u4e00'.repeat(62)}.example`])
      expect(FORMATS['http-url'](`https://${host}/${'a'.repeat(1000)}`), host).to.equal(true);
    const letters = Array.from({ length: 700_000 }, (_, nth) => String.fromCodePoint(0x4e00 + (nth % 20_000))).join('');
    for (const host of [
      `${label}a`,
      `${longest}a`,
      `a.${label}a.dev`,
      letters,
      `/${letters}`,
      `@${letters}`,
      `${letters}:80`,
    ])
      expect(FORMATS['http-url'](`https://${host}`), host.slice(0, 300)).to.equal(false);
    for (const text of [letters, `//${letters}`, `https:${letters}`])
      expect(parsedUrl(text, text === letters ? undefined : 'https://acme.dev/'), text.slice(0, 9)).to.equal(undefined);
    expect(parsedUrl(`/${'a'.repeat(1000)}`, 'https://acme.dev/x')?.pathname.length).to.equal(1001);
  });

  it('takes letters beyond ASCII in an address however often it was asked', () => {
    for (let time = 0; time < 20_000; time += 1)
      expect(FORMATS['http-url']('https://b\u00fccher.example/'), `call ${time}`).to.equal(true);
  });
});
