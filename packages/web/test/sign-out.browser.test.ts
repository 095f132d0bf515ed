import { expect } from 'chai';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { ADA, type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('signing out, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    await fill(service.person, place);
  });
  after(() => service.stop());

  it('shows in the masthead and in the palette that it failed, and works once the network is back', async () => {
    const grace = await joinedBy(service, place.team_id, 'member', 'Grace');
    const { page, context, open, close, expectAccessible } = await visit(grace, {
      mayComplain: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/,
    });
    await open('/settings/account');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    // The palette's file loads before the network goes.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const button = page.getByRole('button', { name: 'Sign out', exact: true });
    await context.setOffline(true);
    await button.click();
    await page.getByRole('banner').getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await expectAccessible('a sign-out that failed');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.getByRole('option', { name: /^Sign out/ }).click();
    // The search for the typed text fails as well; a sign-out still being retried would succeed once the network is back.
    await page.getByRole('dialog').getByText('The server cannot be reached.').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await button.click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await close();
  });

  it('does not ask a person whose session has ended to sign in for it', async () => {
    for (const isByPalette of [false, true]) {
      const linus = await joinedBy(service, place.team_id, 'member', isByPalette ? 'Linus' : 'Dennis');
      const { page, open, close } = await visit(linus, { mayComplain: /status of 401/ });
      await open('/settings/account');
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: /^Sign out/ }).waitFor();
      if (!isByPalette) await page.keyboard.press('Escape');
      // Ended just before the browser asks for it; earlier, a reading of the page might find out first and show the dialog.
      await page.route('**/api/session', async (route) => {
        if (route.request().method() === 'DELETE') await linus.person.signOut();
        await route.continue();
      });
      if (isByPalette) await page.getByRole('option', { name: /^Sign out/ }).click();
      else await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await close();
    }
  });

  it('leaves the next person no offer to undo what the former one did', async () => {
    const margaret = await joinedBy(service, place.team_id, 'member', 'Margaret');
    const { page, open, close } = await visit(margaret, { mayComplain: /status of 401/ });
    await open(`${addressOf(place)}/checklist`);
    await page.getByRole('checkbox', { name: 'Rollback' }).check();
    await page.getByText('Rollback: Done.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('checkbox', { name: 'Rollback' }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0);
    expect(await page.getByText('Rollback: Done.').count()).to.equal(0);
    await close();
  });
});
