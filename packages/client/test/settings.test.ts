import { inspect } from 'node:util';
import { expect } from 'chai';
import { type ClientOptions, checkedSettings } from '../src/settings.js';

const KEY = 'swk_canary0123456789';
const refusal = (options: ClientOptions): string => {
  try {
    checkedSettings(options);
  } catch (error) {
    return inspect(error, { showHidden: true, depth: 9 });
  }
  return '';
};

describe('checkedSettings', () => {
  it('sends a key over https, and over http to the own machine only', () => {
    const fit = [
      'https://acme.dev',
      'http://localhost:4400',
      'http://127.0.0.1',
      'http://127.8.9.1',
      'http://[::1]:80',
    ];
    for (const baseUrl of [...fit, 'http://app.localhost'])
      expect(refusal({ baseUrl, apiKey: KEY }), baseUrl).to.equal('');
    const unfit = [
      'http://acme.dev',
      'http://10.0.0.1',
      'http://127.evil.dev',
      'http://localhost.evil.dev',
      'http://[::2]',
    ];
    for (const baseUrl of unfit) {
      expect(refusal({ baseUrl, apiKey: KEY }), baseUrl)
        .to.include('plain http')
        .and.not.to.include(KEY);
      expect(refusal({ baseUrl }), baseUrl).to.equal('');
      expect(refusal({ baseUrl, apiKey: KEY, allowInsecureHttp: true }), baseUrl).to.equal('');
    }
  });

  it('refuses addresses it cannot use without repeating what is secret in them', () => {
    for (const baseUrl of ['', 'acme.dev', '/api', 'ftp://acme.dev', 'https://a.dev?x', 'https://a.dev#x']) {
      expect(refusal({ baseUrl }), baseUrl).to.include('TypeError');
    }
    expect(refusal({ baseUrl: `https://ada:${KEY}@acme.dev` }))
      .to.include('TypeError')
      .and.not.to.include(KEY);
  });

  it('refuses keys that do not fit into a header, without naming them', () => {
    for (const apiKey of ['', `${KEY}\n`, ` ${KEY}`, `${KEY}ü`]) {
      const text = refusal({ baseUrl: 'https://acme.dev', apiKey });
      expect(text).to.include('apiKey must be').and.not.to.include(KEY);
    }
  });

  it('refuses times and counts out of range', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(refusal({ baseUrl: 'https://acme.dev', timeoutMs }), String(timeoutMs)).to.include('timeoutMs');
    }
    expect(refusal({ baseUrl: 'https://acme.dev', retries: -1 })).to.include('retries');
  });

  it('keeps a path in front of the interface', () => {
    expect(checkedSettings({ baseUrl: 'https://acme.dev/tools/ship//' }).base).to.equal('https://acme.dev/tools/ship');
    expect(checkedSettings({ baseUrl: 'https://acme.dev' }).base).to.equal('https://acme.dev');
  });

  it('waits as long as asked, or less when the signal is aborted', async () => {
    const { sleep, random } = checkedSettings({ baseUrl: 'https://acme.dev' });
    const begin = performance.now();
    await sleep(30, new AbortController().signal);
    expect(performance.now() - begin).to.be.greaterThan(25);
    const controller = new AbortController();
    const long = sleep(600_000, controller.signal);
    controller.abort();
    await long;
    await sleep(600_000, controller.signal);
    expect(random()).to.be.within(0, 1).and.not.to.equal(random());
  });
});
