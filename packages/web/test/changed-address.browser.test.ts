import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { isMarked, mark } from './browser/reload-mark.js';
import { type Service, startEmpty, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** Goes to a screen by the command palette, which loads nothing anew. */
const goByPalette = async (page: Page, words: string, option: RegExp) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
  await page.getByRole('option', { name: option }).first().waitFor();
  await page.getByRole('option', { name: option }).first().click();
};

describe('a screen whose address changes to another record, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let other: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const { team_id, project_id } = path;
    const { body } = await service.person.createRelease({ path: { team_id, project_id }, body: { name: '2.5' } });
    other = { ...path, release_id: body.data.id };
  });
  after(() => service.stop());

  it('shows what-if of the other release without the changes of the first one', async () => {
    const { page, open, close } = await visit(service);
    const outcome = page.getByRole('region', { name: 'What if: result' });
    const arrived = (name: string) => page.getByRole('heading', { level: 1, name: `checkout ${name}` }).waitFor();
    // The other release is read first: what is known of it is then shown at once.
    await open(addressOf(other));
    await outcome.getByText('as now').waitFor();
    await mark(page);
    await goByPalette(page, 'checkout 2.4', /2\.4/);
    await arrived('2.4');
    await outcome.getByText('as now').waitFor();
    await page.getByRole('slider', { name: 'Checklist items ticked' }).press('End');
    await outcome.getByText('as now').waitFor({ state: 'detached' });
    await goByPalette(page, 'checkout 2.5', /2\.5/);
    await arrived('2.5');
    await outcome.getByText('as now').waitFor();
    const ticked = page.getByRole('slider', { name: 'Checklist items ticked' });
    expect(await ticked.getAttribute('aria-valuetext')).to.equal('0 of 3');
    expect(await isMarked(page)).to.equal(true);
    await close();
  });

  it('shows the policy of the other project without the unsaved changes of the first one', async () => {
    const basket = await makeRelease(service.person, 'basket');
    const policyOf = ({ team_id, project_id }: ReleasePath) =>
      `/teams/${team_id}/projects/${project_id}/settings/policy`;
    const { page, open, close } = await visit(service);
    const score = page.getByLabel('Minimum readiness score');
    const visitPolicy = async (of: ReleasePath, name: string) => {
      await page.evaluate((address) => {
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
      }, policyOf(of));
      await page.getByRole('heading', { level: 1, name: `Gate policy of ${name}` }).waitFor();
      await score.waitFor();
    };
    await open(policyOf(basket));
    await score.waitFor();
    const usual = await score.inputValue();
    await visitPolicy(path, 'checkout');
    await score.fill('12');
    await page.getByText('Not saved yet.').waitFor();
    await visitPolicy(basket, 'basket');
    expect(await score.inputValue()).to.equal(usual);
    expect(await page.getByText('Not saved yet.').count()).to.equal(0);
    await close();
  });

  it('makes a second project, and shows no key of the first one', async () => {
    const { page, open, close } = await visit(service);
    const createProject = async (name: string) => {
      await page.getByRole('button', { name: 'Core' }).first().click();
      await page.getByLabel('Name of the project').fill(name);
      await page.getByRole('button', { name: 'Create the project' }).click();
      await page.getByRole('button', { name: 'Create the key' }).waitFor();
    };
    await open('/welcome');
    await createProject('alpha');
    await goByPalette(page, 'New project', /^New project/);
    await page.getByRole('button', { name: 'Core' }).first().waitFor();
    await createProject('beta');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Listening for the first report').waitFor();
    await goByPalette(page, 'New project', /^New project/);
    await createProject('gamma');
    expect(await page.getByText('SHIPWORTHY_API_KEY').count()).to.equal(0);
    await page.getByText('gamma', { exact: true }).first().waitFor();
    await close();
  });

  it('shows the invitation of the link that is opened in the same tab', async () => {
    const { team_id } = path;
    const { body } = await service.person.createInvitation({ body: { team_id, role: 'member' } });
    const { pathname, hash } = new URL(body.data.url);
    const { page, open, close } = await visit(service, { signedIn: false, mayComplain: /status of (401|409)/ });
    await open(pathname);
    await page.getByText('The link is incomplete').waitFor();
    await mark(page);
    await open(`${pathname}#no-such-token`);
    await page.getByText('There is no such invitation').waitFor();
    await open(pathname + hash);
    await page.getByRole('button', { name: 'Accept the invitation' }).waitFor();
    // The link that skips the head of the page is no other invitation.
    await open(`${pathname}#content`);
    await page.getByLabel('Your name').fill('Grace');
    expect(await page.getByText('The link is incomplete').count()).to.equal(0);
    expect(await isMarked(page)).to.equal(true);
    await close();
  });

  it('takes the setup token of the link that is opened in the same tab', async () => {
    const empty = await startEmpty();
    const { page, open, close } = await visit({ ...empty, cookies: [] });
    await open('/setup#half');
    await page.getByLabel('Your name').fill('Ada');
    await mark(page);
    await open(`/setup#${empty.setupToken}`);
    await page.waitForFunction(
      (token) => [...document.querySelectorAll('input')].some(({ value }) => value === token),
      empty.setupToken,
    );
    expect(await page.getByLabel('Your name').inputValue()).to.equal('Ada');
    expect(await isMarked(page)).to.equal(true);
    await close();
    await empty.stop();
  });
});
