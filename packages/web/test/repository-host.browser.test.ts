import { makeRelease } from './browser/places.js';
import { type HostedService, startHosted } from './browser/repository-host.js';
import { visit } from './browser/visit.js';

const ADDRESS = '/settings/repository-host';

describe('the repository host, in a browser', () => {
  let service: HostedService;
  before(async () => {
    service = await startHosted();
    await makeRelease(service.person);
  });
  after(() => service.stop());

  it('is connected by approving there, and leads back into the application', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(ADDRESS);
    await page.getByRole('button', { name: 'Connect GitHub' }).waitFor();
    await expectAccessible('not connected');
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.waitForURL(`**${ADDRESS}`);
    await page.getByText('The connection works.').waitFor();
    await page.getByRole('heading', { name: 'Connected as ada' }).waitFor();
    await expectAccessible('connected');
    await page.getByRole('link', { name: 'checkout' }).click();
    await page.getByRole('heading', { name: 'Repository of checkout' }).waitFor();
    await close();
  });

  it('is rejected when the host says so, and cleared by approving again', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    service.github.revokeTokens();
    await open(ADDRESS);
    await page.getByText('GitHub refused the connection.').waitFor();
    await expectAccessible('rejected');
    await page.getByRole('button', { name: 'Approve again' }).click();
    await page.getByText('The connection works.').waitFor();
    await close();
  });

  it('could not be checked while the host is away, which is never called rejected', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 503/ });
    await service.github.shut();
    await open(ADDRESS);
    await page.getByText('Could not check now.').waitFor();
    await page
      .getByText(/refused|Approve again/)
      .first()
      .waitFor({ state: 'detached' });
    await expectAccessible('not checked');
    await service.github.open();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('The connection works.').waitFor();
    await close();
  });

  it('ends on request, and says when the person does not approve', async () => {
    const { page, open, close, expectAccessible } = await visit(service, {
      // 401: what the host answers a browser that asks for its icon.
      mayComplain: /status of (401|409)/,
    });
    await open(ADDRESS);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await expectAccessible('disconnecting');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    service.github.visitAs('ada');
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText(/You did not let Shipworthy read at GitHub/).waitFor();
    await expectAccessible('not approved');
    await page.getByRole('link', { name: 'Go on in the settings' }).click();
    await page.getByRole('button', { name: 'Connect GitHub' }).waitFor();
    await page.getByText(/"repo", which also lets its holder write/).waitFor();
    const field = page.getByLabel('Token of GitHub');
    await field.fill('github_pat_invented');
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByRole('alert').waitFor();
    await field.fill(service.github.tokenFor('ada'));
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByRole('heading', { name: 'Connected as ada' }).waitFor();
    await expectAccessible('connected by a token');
    await close();
  });
});
