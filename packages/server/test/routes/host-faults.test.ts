import type { GitHubServer } from '@shipworthy/adapters/test-host';
import { expect } from 'chai';
import { approveAtHost, type LocalStage, setLocalStage } from '../harness/local-host.js';

type Fault = Parameters<GitHubServer['faults']['inject']>[0];

const SOON = () => Date.now() + 40_000;

/** What befalls the host, and what the service says happened. */
const FAULTS: readonly (readonly [string, () => Fault, string])[] = [
  ['is slow', () => ({ kind: 'delay', ms: 20_000 }), 'timeout'],
  ['never answers', () => ({ kind: 'hang' }), 'timeout'],
  ['breaks off', () => ({ kind: 'cut' }), 'cut'],
  ['ends in the middle', () => ({ kind: 'half-json' }), 'cut'],
  ['resets the connection', () => ({ kind: 'reset' }), 'unreachable'],
  ['answers a page as if all were well', () => ({ kind: 'page', status: 200 }), 'not_json'],
  ['answers a page of its own failure', () => ({ kind: 'page', status: 502 }), 'server_error'],
  ['answers a page of refusal', () => ({ kind: 'page', status: 401 }), 'not_json'],
  ['fails', () => ({ kind: 'error', status: 500 }), 'server_error'],
  ['leads elsewhere', () => ({ kind: 'redirect-outside' }), 'redirected'],
  ['has no budget left', () => ({ kind: 'primary-limit', resetAt: SOON() }), 'rate_limited'],
  ['asks to be left alone', () => ({ kind: 'secondary-limit', retryAfterSeconds: 40 }), 'rate_limited'],
];

describe('a repository host behind real sockets', () => {
  let stage: LocalStage;
  before(async () => {
    stage = await setLocalStage();
    stage.github.data.addRepository('acme/shop');
    expect(await approveAtHost(stage.browser)).to.contain('<b>ada</b>');
  });
  beforeEach(() => stage.github.faults.clear());
  after(() => stage.close());

  const check = async () => (await stage.pipeline.ok('checkHostConnection')).body.status;

  for (const [title, fault, cause] of FAULTS)
    it(`that ${title} is unavailable, never rejected`, async () => {
      const { pipeline, github } = stage;
      github.faults.inject(fault());
      const { status, body, headers } = await pipeline.refused('checkHostConnection', 'host-unavailable');
      expect(status).to.equal(503);
      expect(body.cause, body.detail).to.equal(cause);
      expect(Number(headers['retry-after'])).to.be.within(1, 45);
      if (cause === 'rate_limited') expect(Number(headers['retry-after'])).to.be.above(30);
      github.faults.clear();
      expect(await check()).to.equal('ok');
      expect(github.leaked()).to.equal(false);
    });

  it('that cannot be reached is unavailable for anyone who lists, links or connects', async () => {
    const { browser, github, inProject: path } = stage;
    const { url } = (await browser.ok('connectHost')).body.data;
    const sentBack = await fetch(url, { redirect: 'manual' });
    const rawQuery = new URL(sentBack.headers.get('location') ?? '').search.slice(1);
    await github.shut();
    try {
      await browser.refused('listRepositories', 'host-unavailable');
      await browser.refused('linkRepository', 'host-unavailable', { path, body: { repository: 'acme/shop' } });
      await browser.refused('finishHostConnection', 'host-unavailable', { rawQuery });
      expect((await browser.ok('readHostConnection')).body).to.include({ configured: true, connected: true });
    } finally {
      await github.open();
    }
    expect(await check()).to.equal('ok');
  });

  it('that refuses the token is rejected, until the person approves again', async () => {
    const { browser, github } = stage;
    github.revokeTokens();
    expect(await check()).to.equal('rejected');
    await browser.refused('listRepositories', 'host-rejected');
    await approveAtHost(browser);
    expect(await check()).to.equal('ok');
    const { body } = await browser.ok('listRepositories', { query: { search: 'sho' } });
    expect(body.data.map(({ path }) => path)).to.deep.equal(['acme/shop']);
  });

  it('forgets the token when the person disconnects', async () => {
    const { browser, github } = stage;
    await browser.ok('disconnectHost');
    expect((await browser.ok('readHostConnection')).body.connected).to.equal(false);
    expect(
      github.requests.all.some(({ method, path }) => method === 'DELETE' && path.includes('/applications/')),
    ).to.equal(true);
  });
});
