import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy, startWithTeam } from './browser/people.js';
import type { Service } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the people of a server, in a browser', () => {
  let service: Service;
  let teamId: string;
  before(async () => {
    ({ service, teamId } = await startWithTeam());
  });
  after(() => service.stop());

  it('are vouched for, disabled and enabled by an administrator', async () => {
    const linus = await joinedBy(service, teamId, 'member', 'Linus');
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings/people');
    const row = page.getByRole('row', { name: /Linus/ });
    await row.getByText('(unverified)').waitFor();
    await expectAccessible('people');
    expect(await downloaded(page, 'people.csv')).to.contain('\r\n"Linus",');
    await open('/settings/people?text=nobody');
    await page.getByText('No name or email contains these words.').waitFor();
    await expectAccessible('no person found');
    await page.getByLabel('Find a person').fill('LINUS');
    await row.waitFor();
    expect(await page.getByRole('row', { name: /Ada/ }).count()).to.equal(0);
    expect((await downloaded(page, 'people.csv')).trimEnd().split('\r\n')).to.have.length(2);
    await page.getByRole('button', { name: 'Vouch for the address of Linus' }).click();
    await expectAccessible('vouching');
    await page.getByRole('dialog').getByRole('button', { name: 'Vouch for the address' }).click();
    await row.getByText('(unverified)').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Disable Linus' }).click();
    await page.getByText(/stays without an owner until you name one/).waitFor();
    await expectAccessible('disabling');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await row.getByText(/^Disabled/).waitFor();
    await expectAccessible('disabled');
    const ended = await linus.person.readSession().then(
      () => 'still there',
      () => 'ended',
    );
    expect(ended).to.equal('ended');
    await page.getByRole('button', { name: 'Enable Linus' }).click();
    await row.getByText('Active').waitFor();
    await close();
  });

  it('leave a team without an owner, which is given to a member', async () => {
    const otto = await joinedBy(service, teamId, 'owner', 'Otto');
    const { body } = await otto.person.createTeam({ body: { name: 'Research' } });
    await joinedBy({ ...service, person: otto.person }, body.data.id, 'viewer', 'Vera');
    const { id } = (await otto.person.readSession()).body.data.user;
    const { page, open, close, expectAccessible } = await visit(service);
    await service.person.disablePerson({ path: { user_id: id } });
    await open('/settings/people');
    await page.getByLabel('New owner of Research').waitFor();
    await expectAccessible('a team without an owner');
    await page.getByRole('button', { name: 'Make owner of Research' }).click();
    await expectAccessible('making an owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Make owner' }).click();
    await page.getByRole('heading', { name: 'Teams without an owner' }).waitFor({ state: 'detached' });
    await close();
  });

  it('are invited, and the invitation is revoked', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings/people');
    await page.getByLabel('Email (optional)').fill('grace@example.org');
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    await page.getByText(/Send this link to grace@example.org/).waitFor();
    await page.getByText('grace@example.org, by Ada').waitFor();
    await expectAccessible('invited');
    const table = await downloaded(page, 'service-invitations.csv', 'invitations');
    expect(table).to.contain('\r\n"grace@example.org","Ada",');
    await page.getByRole('button', { name: /^Revoke the invitation that Ada made/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('grace@example.org, by Ada').waitFor({ state: 'detached' });
    await page.getByText(/^Send this link to/).waitFor({ state: 'detached' });
    await close();
  });

  it('are for administrators', async () => {
    const member = await joinedBy(service, teamId, 'viewer', 'Eve');
    const { page, open, close, expectAccessible } = await visit(member);
    await open('/settings/people');
    await page.getByText('Only administrators of the server see its people.').waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).to.equal(0);
    await expectAccessible('as a member');
    await close();
  });

  it('are marked, in the team too, when a name or address mixes alphabets', async () => {
    // The second letter is Cyrillic.
    await joinedBy(service, teamId, 'member', 'P\u0430ul');
    const MARK = 'letters of different alphabets';
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings/people');
    await page
      .getByRole('row', { name: /P\u0430ul/ })
      .getByText(MARK)
      .waitFor();
    expect(await page.getByRole('row', { name: /Ada/ }).getByText(MARK).count()).to.equal(0);
    await expectAccessible('people with a mark');
    await page.getByLabel('Email (optional)').fill('p\u0430ypal@example.org');
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    await page.getByText('Check that it is the one you mean').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'p\u0430ypal@example.org' }).getByText(MARK).waitFor();
    await open(`/teams/${teamId}`);
    await page
      .getByRole('row', { name: /P\u0430ul/ })
      .getByText(MARK)
      .waitFor();
    await page.getByLabel('Email (optional)').fill('p\u0430ypal@example.org');
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    await page.getByText('Check that it is the one you mean').waitFor();
    const links = page.getByRole('region', { name: 'Links that still work' });
    await links.getByText(MARK).waitFor();
    await expectAccessible('a link for a marked address');
    const url = (await page.getByRole('region', { name: 'Invitation link' }).textContent()) ?? '';
    await close();
    const guest = await visit(service, { signedIn: false, mayComplain: /status of 401/ });
    await guest.open(`/invitation#${url.split('#')[1]}`);
    await guest.page.getByText(MARK).waitFor();
    await guest.expectAccessible('invited, marked');
    await guest.close();
  });
});
