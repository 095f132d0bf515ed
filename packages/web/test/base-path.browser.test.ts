import { createClient } from '@shipworthy/client';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fill, makeRelease } from './browser/places.js';
import { type FrontProxy, startProxy } from './browser/proxy.js';
import { ADA, clientWith, cookiesOf, startEmpty } from './browser/service.js';
import { visit } from './browser/visit.js';

/** The page first asks whether a person is signed in, and gets 401. */
const SIGNED_OUT = { signedIn: false, mayComplain: /status of 401/ } as const;

describe('the application below a path, in a browser', () => {
  let proxy: FrontProxy;
  const stops: (() => Promise<void>)[] = [];
  before(async () => {
    proxy = await startProxy();
  });
  after(async () => {
    proxy.stop();
    for (const stop of stops) await stop();
  });

  /** A service with one release, reached below the path. */
  const serve = async (path: string, strips: boolean) => {
    const url = proxy.origin + path;
    const service = await startEmpty({ baseUrl: new URL(url) });
    stops.push(service.stop);
    proxy.add(path, service.url, strips);
    const setUp = { setup_token: service.setupToken, ...ADA };
    const { headers } = await createClient({ baseUrl: url, timeoutMs: 120_000 }).setUp({ body: setUp });
    const person = clientWith(url, cookiesOf(url, headers));
    const place = await makeRelease(person);
    await fill(person, place);
    return { url, person, place };
  };

  const signIn = async (page: Page, url: string) => {
    await page.goto(`${url}/`);
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  for (const strips of [true, false])
    it(`signs in, opens a scorecard and reloads it behind a proxy that ${strips ? 'removes' : 'leaves'} the path`, async () => {
      const path = strips ? '/shipworthy' : '/tools/ship.worthy';
      const { url, person, place } = await serve(path, strips);
      const { page, close } = await visit({ url: proxy.origin, cookies: [] }, SIGNED_OUT);
      const outside: string[] = [];
      page.on('request', (request) => {
        const { origin, pathname } = new URL(request.url());
        if (origin === proxy.origin && !pathname.startsWith(`${path}/`)) outside.push(pathname);
      });
      await signIn(page, url);
      const scorecard = page.getByRole('heading', { level: 1, name: /checkout 2\.4/ });
      await page.getByRole('link', { name: /2\.4/ }).first().click();
      await scorecard.waitFor();
      const address = `${url}/teams/${place.team_id}/projects/${place.project_id}/releases/${place.release_id}`;
      expect(page.url()).to.equal(address);
      await page.reload();
      await scorecard.waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await person.recordTestRun({ path: place, body: { total: 412, passed: 300, failed: 112 } });
      await page.getByText('300 of 412 tests passed').waitFor();
      await page.getByRole('link', { name: 'Analysis' }).click();
      await page.getByRole('heading', { name: 'Analysis of checkout 2.4' }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Progress as CSV' }).click(),
      ]);
      expect(download.url()).to.contain(`${url}/api/teams/`);
      await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).to.equal(`${url}/settings`);
      await page.getByRole('link', { name: 'Projects' }).first().click();
      expect(page.url()).to.equal(`${url}/`);
      await page.getByRole('link', { name: 'HTTP interface' }).click();
      await page.getByRole('heading', { level: 1, name: 'The HTTP interface of Shipworthy' }).waitFor();
      expect(page.url()).to.equal(`${url}/api/docs`);
      expect(outside).to.deep.equal([]);
      await close();
    });

  it('leaves the session of another service on the same origin alone, also of one below it', async () => {
    const [one, two] = [await serve('/one/two', false), await serve('/one', true)];
    const { page, context, close } = await visit({ url: proxy.origin, cookies: [] }, SIGNED_OUT);
    await signIn(page, one.url);
    await page.goto(`${two.url}/`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, two.url);
    await page.goto(`${one.url}/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${two.url}/`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const cookies = (await context.cookies(`${two.url}/`)).map(({ name, path }) => [name, path]);
    expect(cookies).to.have.deep.members([
      ['shipworthy_session-one', '/one'],
      ['shipworthy_device-one', '/one'],
    ]);
    await close();
  });
});
