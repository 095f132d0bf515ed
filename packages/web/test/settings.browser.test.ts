import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { downloaded } from './browser/download.js';
import { makeRelease } from './browser/places.js';
import { ADA, type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const run = promisify(execFile);

const textOf = async (page: Page, label: string): Promise<string> =>
  (await page.getByRole('region', { name: label, exact: true }).textContent()) ?? '';

/** Runs lines as a person pastes them into a terminal. */
const inShell = async (...lines: readonly string[]): Promise<string> =>
  (await run('sh', ['-c', lines.join('\n')])).stdout;

describe('own settings, in a browser', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await makeRelease(service.person);
  });
  after(() => service.stop());

  it('creates a key that curl works with as pasted, shows it once, and revokes it', async () => {
    const said: string[] = [];
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    page.on('console', (message) => said.push(message.text()));
    await open('/settings');
    await page.getByRole('button', { name: 'Create your first key' }).waitFor();
    await expectAccessible('no key');
    await page.getByRole('button', { name: 'Create your first key' }).click();
    await expectAccessible('new key');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Days until it expires').fill('366');
    await page.getByText('Enter 1 to 365 days.').waitFor();
    await expectAccessible('new key, refused');
    await page.getByLabel('Days until it expires').fill('365');
    await page.getByLabel('Name').fill('checkout pipeline');
    const access = page.getByLabel('Access');
    expect(await access.locator('option:checked').textContent()).to.equal('Team Core');
    await access.selectOption({ label: 'All teams I am in' });
    await page.getByText('every team you join later').waitFor();
    await expectAccessible('new key of all teams');
    await access.selectOption({ label: 'Only checkout of Core' });
    await page.getByLabel('Name').press('Enter');
    await page.getByText('it is not shown again').waitFor();
    await expectAccessible('key shown');

    const settings = await textOf(page, 'Settings for both ways');
    const key = /SHIPWORTHY_API_KEY=(swk_\w+)/.exec(settings)?.[1] ?? expect.fail(settings);
    const check = await textOf(page, 'See that it works');
    expect(JSON.parse(await inShell(settings, check)).data).to.include({ kind: 'api_key', name: 'checkout pipeline' });
    const reported = await inShell(settings, await textOf(page, 'With curl'));
    expect(reported).to.contain('"passed":10').and.contain('"environment":"production"');

    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
    for (const place of [page.url(), kept, said.join('\n')]) expect(place).not.to.contain(key.slice(12));
    await page.reload();
    await page.getByRole('rowheader', { name: 'checkout pipeline' }).waitFor();
    expect(await page.content()).not.to.contain(key.slice(12));
    await page.getByText('just now').first().waitFor();
    await expectAccessible('keys');

    await page.getByRole('button', { name: 'Revoke checkout pipeline' }).click();
    await expectAccessible('revoking');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Create your first key' }).waitFor();
    // A revocation acts everywhere within two seconds, of a machine that has nothing else to do.
    const asked = async () => JSON.parse(await inShell(settings, check));
    while ((await asked()).status !== 401);
    await close();
  });

  it('changes the password, after the present one, and says when that is wrong', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of (401|422)/ });
    await open('/settings/account');
    await page.getByText(ADA.email).waitFor();
    await expectAccessible('account');
    const change = async (present: string, next: string) => {
      await page.getByLabel('Current password').fill(present);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await change('not the present one', 'another long phrase');
    await page.getByRole('alert').waitFor();
    await change(ADA.password, 'short');
    await page.getByText('Enter 12 characters or more.').waitFor();
    await expectAccessible('password refused');
    await change(ADA.password, 'another long phrase');
    await page.getByText('Password changed.').waitFor();
    expect(await page.getByLabel('Current password').inputValue()).to.equal('');
    await close();
  });

  it('keeps the colours chosen, from the first paint on', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /ERR_FAILED/ });
    await open('/settings/account');
    await page.getByRole('radio', { name: 'Dark' }).check();
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await ground()).to.equal('rgb(12, 15, 20)');
    await expectAccessible('dark by choice');
    // The application itself never comes: what is there before it must know the colours already.
    await page.route(/main-.*\.js$/, (route) => route.abort());
    await open('/settings/account');
    expect(await page.locator('html').getAttribute('data-scheme')).to.equal('dark');
    expect(await ground()).to.equal('rgb(12, 15, 20)');
    await page.unroute(/main-.*\.js$/);
    await open('/settings/account');
    await page.getByRole('radio', { name: 'As the system' }).check();
    expect(await ground()).to.equal('rgb(246, 247, 249)');
    expect(await page.evaluate(() => localStorage.length)).to.equal(0);
    await close();
  });

  it('shows more at once or less, as it was chosen', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings/account');
    const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(await size()).to.equal('14px');
    await page.getByRole('radio', { name: 'Comfortable' }).check();
    expect(await size()).to.equal('16px');
    await expectAccessible('comfortable by choice');
    await open('/settings/account');
    expect(await size()).to.equal('16px');
    await page.getByRole('radio', { name: 'Dense' }).check();
    expect(await size()).to.equal('14px');
    expect(await page.evaluate(() => localStorage.length)).to.equal(0);
    await close();
  });

  it('keeps colours and density while the page is open, where the browser stores nothing', async () => {
    const { page, open, close } = await visit(service);
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('Access is denied.', 'SecurityError');
        },
      }),
    );
    const shown = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
    await open('/settings/account');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Comfortable' }).check();
    expect(await shown()).to.include({ scheme: 'dark', density: 'comfortable' });
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await page.getByRole('link', { name: 'Account' }).first().click();
    await page.getByRole('radio', { name: 'Dense' }).check();
    expect(await shown()).to.include({ scheme: 'dark', density: 'dense' });
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).to.equal(true);
    await close();
  });

  it('is set in its own typeface, which comes with the page', async () => {
    const { page, open, close } = await visit(service);
    await open('/settings/account');
    const loaded = () =>
      page.evaluate(async () => {
        await document.fonts.ready;
        return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
      });
    expect(await loaded()).to.include('Figtree');
    await close();
  });

  it('says what cannot be read, keeps what was read before, and tries again', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /ERR_FAILED/ });
    const keys = '**/api/settings/api-keys';
    await page.route(keys, (route) => route.abort());
    await open('/settings');
    await page.getByText('The server cannot be reached.').waitFor();
    await expectAccessible('cannot be read');
    await page.unroute(keys);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Create your first key' }).waitFor();
    await page.route(keys, (route) => route.abort());
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText(/What follows was read/).waitFor();
    await page.getByRole('button', { name: 'Create your first key' }).waitFor();
    await expectAccessible('read before');
    await close();
  });

  it('finds API keys by their names, and exports them', async () => {
    for (const name of ['deploy', 'gate', 'nightly', 'import', 'docs', 'tests'])
      await service.person.createApiKey({ body: { name, scopes: ['read'], all_teams: true } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings?text=GATE');
    await page.getByRole('row', { name: /gate/ }).waitFor();
    expect(await page.locator('table tbody tr').count()).to.equal(1);
    await expectAccessible('keys found');
    expect((await downloaded(page, 'api-keys.csv')).trimEnd().split('\r\n')).to.have.length(2);
    await page.getByLabel('Find a key').fill('none');
    await page.getByText('None of your API keys matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all keys' }).click();
    await page.getByRole('row', { name: /nightly/ }).waitFor();
    await close();
  });

  it('says that the server is not set up for a repository host, and what its administrator sets', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings/repository-host');
    await page.getByText('GITHUB_CLIENT_ID=').waitFor();
    await page.getByText(`${service.url}/api/settings/github/callback`).waitFor();
    await expectAccessible('not set up');
    await close();
  });

  it('signs out', async () => {
    const { page, open, close } = await visit(service);
    await open('/settings/account');
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });
});
