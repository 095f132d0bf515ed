import { expect } from 'chai';
import { ADA, type Service, startEmpty, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('signing in, in a browser', () => {
  it('makes the first administrator by the token the server printed', async () => {
    const service = await startEmpty();
    const { page, open, close, expectAccessible } = await visit({ ...service, cookies: [] } as unknown as Service, {
      mayComplain: /status of (401|422|403)/,
    });
    await open('/');
    await page.getByRole('heading', { name: 'Welcome to Shipworthy' }).waitFor();
    await expectAccessible('setup');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await expectAccessible('setup, refused');
    await page.getByLabel('Setup token').fill(service.setupToken);
    await page.getByLabel('Your name').fill(ADA.name);
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText(ADA.name, { exact: true }).waitFor();
    await close();
    await service.stop();
  });

  it('keeps the address that was wanted, and says what is wrong', async () => {
    const service = await startService();
    const { page, open, close, expectAccessible } = await visit(service, {
      signedIn: false,
      mayComplain: /status of 401/,
    });
    await open('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible('sign in');
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill('something else entirely');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/settings');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
    await service.stop();
  });
});
