import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy, startWithTeam } from './browser/people.js';
import type { Service } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('a team, in a browser', () => {
  let service: Service;
  let teamId: string;
  before(async () => {
    ({ service, teamId } = await startWithTeam());
  });
  after(() => service.stop());

  it('shows owners the keys that reach it, and takes one out', async () => {
    await service.person.createApiKey({ body: { name: 'wide', scopes: ['read'], all_teams: true } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${teamId}/api-keys`);
    await page.getByRole('row', { name: /wide.*All teams of its maker.*Never/ }).waitFor();
    await expectAccessible('keys of a team');
    await page.getByLabel('Find a key').fill('narrow');
    await page.getByText('No API key that reaches this team matches the filter.').waitFor();
    await page.getByLabel('Find a key').fill('ADA wide');
    await page.getByRole('row', { name: /wide/ }).waitFor();
    expect(await downloaded(page, 'api-keys.csv')).to.contain('\r\n"wide","Ada",');
    await page.getByLabel('Find a key').fill('');
    await page.getByRole('button', { name: 'Take out wide' }).click();
    await expectAccessible('taking a key out');
    await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).click();
    await page.getByText('No API key reaches this team').waitFor();
    await open('/settings');
    await page.getByText('An owner took it out of Core.').waitFor();
    await expectAccessible('own keys, one barred');
    await close();
  });

  it('invites by a link that is shown once, works once and stays out of every request', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${teamId}`);
    await page.getByRole('heading', { name: 'Members of Core' }).waitFor();
    await expectAccessible('members');
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    const link = page.getByRole('region', { name: 'Invitation link' });
    await link.waitFor();
    await expectAccessible('invited');
    const url = (await link.textContent()) ?? '';
    const token = url.split('#')[1] ?? expect.fail(url);

    const guest = await visit(service, { signedIn: false, mayComplain: /status of (401|409|422)/ });
    const asked: string[] = [];
    guest.page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await guest.open(`/invitation#${token}`);
    await guest.page.getByRole('heading', { name: 'You are invited' }).waitFor();
    await guest.page.getByText(/Ada invites you to the team Core, as member/).waitFor();
    await guest.expectAccessible('invitation');
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.page.locator('[aria-invalid=true]:focus').waitFor();
    await guest.expectAccessible('invitation, refused');
    await guest.page.getByLabel('Your name').fill('Grace');
    await guest.page.getByLabel('Email').fill('grace@example.org');
    await guest.page.getByLabel('Password').fill('a long enough phrase');
    await guest.page.getByLabel('Password').press('Enter');
    await guest.page.getByText('Grace', { exact: true }).waitFor();
    expect(new URL(guest.page.url()).pathname + new URL(guest.page.url()).hash).to.equal('/');
    for (const line of asked) expect(line).not.to.contain(token);
    expect(await guest.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.to.contain(token);
    await guest.open(`/invitation#${token}`);
    await guest.page.getByText('This invitation was used already').waitFor();
    expect(await guest.page.getByRole('textbox').count()).to.equal(0);
    await guest.expectAccessible('invitation, used');
    await guest.close();
    await page.reload();
    await page.getByRole('rowheader', { name: /Grace/ }).waitFor();
    expect(await page.content()).not.to.contain(token);
    await close();
  });

  it('archives a project and the team, which leave the portfolio, and restores both', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    const projects = page.getByRole('link', { name: 'checkout', exact: true });
    const panel = (what: string) => page.getByRole('region', { name: `Archive the ${what}` });
    await open('/');
    await projects.click();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click();
    await panel('project').getByRole('button', { name: 'Archive' }).click();
    await panel('project').getByRole('button', { name: 'Restore' }).waitFor();
    await expectAccessible('an archived project in its settings');
    await page.getByRole('link', { name: 'Releases', exact: true }).click();
    await page.getByText('This project is archived').waitFor();
    await expectAccessible('an archived project');
    await open(`/teams/${teamId}`);
    await panel('team').getByRole('button', { name: 'Archive' }).click();
    await panel('team').getByText('Archived just now').waitFor();
    await expectAccessible('an archived team');
    expect(await downloaded(page, 'projects.csv', 'projects')).to.match(
      /\r\n"checkout","checkout",[^\r]*,"20[^"]+","20[^"]+","/,
    );
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await projects.count()).to.equal(0);
    await open('/settings/archived');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible('what is archived');
    for (const name of ['Restore Core', 'Restore Core / checkout'])
      await page.getByRole('button', { name, exact: true }).click();
    await page.getByText('Nothing is archived').waitFor();
    await open('/');
    await projects.waitFor();
    await close();
  });

  it('lists the links that still work, and revokes one', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${teamId}`);
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    const url = (await page.getByRole('region', { name: 'Invitation link' }).textContent()) ?? '';
    const links = page.getByRole('region', { name: 'Links that still work' });
    await links.getByText('Member, by Ada').waitFor();
    await expectAccessible('a link that still works');
    const lines = (await downloaded(page, 'invitations.csv', 'invitations')).trimEnd().split('\r\n');
    expect(lines[1]).to.match(/^,"member","Ada",/);
    expect(lines.join()).not.to.contain(url.split('#')[1]);
    await links.getByRole('button', { name: /^Revoke the link that Ada made/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await links.waitFor({ state: 'detached' });
    await page.getByText(/^Send this link to/).waitFor({ state: 'detached' });
    const guest = await visit(service, { signedIn: false, mayComplain: /status of (401|409)/ });
    await guest.open(`/invitation#${url.split('#')[1]}`);
    await guest.page.getByText('This invitation was revoked').waitFor();
    expect(await guest.page.getByRole('textbox').count()).to.equal(0);
    await guest.open('/invitation#no-such-token');
    await guest.page.reload();
    await guest.page.getByText('There is no such invitation').waitFor();
    await guest.close();
    await close();
  });

  it('lets who has an account join, by the link and without it, or decline', async () => {
    const { body: made } = await service.person.createTeam({ body: { name: 'Search' } });
    const inTeam = { team_id: made.data.id };
    const invited = async (email: string) =>
      (await service.person.createInvitation({ body: { ...inTeam, role: 'viewer', email } })).body.data;
    const lina = await joinedBy(service, teamId, 'viewer', 'Lina');
    const { token } = await invited('lina-viewer@example.org');
    const guest = await visit(lina);
    await guest.open('/');
    // The address is not verified: only the link leads to the invitation.
    await guest.page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect((await lina.person.listReceivedInvitations()).body.data).to.deep.equal([]);
    await guest.open(`/invitation#${token}`);
    await guest.page.getByText('You are signed in as Lina').waitFor();
    await guest.expectAccessible('invitation, signed in');
    await guest.page.getByRole('button', { name: 'Join the team' }).click();
    await guest.page.getByRole('heading', { name: 'Members of Search' }).waitFor();
    await guest.close();

    const owner = await joinedBy(service, teamId, 'member', 'Otto');
    const { body: his } = await owner.person.createTeam({ body: { name: 'Ranking' } });
    for (const name of ['Ranking', 'Ads']) {
      const id = name === 'Ranking' ? his.data.id : (await owner.person.createTeam({ body: { name } })).body.data.id;
      const { email } = (await service.person.readSession()).body.data.user;
      await owner.person.addMember({ path: { team_id: id }, body: { email, role: 'member' } });
    }
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText(/Otto invites you to the team Ranking, as member/).waitFor();
    await expectAccessible('received invitations');
    await page.getByRole('button', { name: 'Decline to join Ads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText(/the team Ads/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Join the team Ranking' }).click();
    await page.getByRole('heading', { name: 'Invitations for you' }).waitFor({ state: 'detached' });
    expect((await service.person.whoAmI()).body.data.teams.map(({ name }) => name)).to.include('Ranking');
    await close();
  });

  it('says that half a link is none', async () => {
    const { page, open, close, expectAccessible } = await visit(service, {
      signedIn: false,
      mayComplain: /status of 401/,
    });
    await open('/invitation');
    await page.getByText('The link is incomplete').waitFor();
    await expectAccessible('no token');
    await close();
  });

  it('changes roles, keeps its last owner, and removes people', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of (409|422)/ });
    await open(`/teams/${teamId}`);
    await page.getByLabel('Role of Grace').selectOption('viewer');
    await page.getByText('Grace: viewer.').waitFor();
    await page.getByLabel('Role of Ada').selectOption('member');
    await page.getByRole('button', { name: 'Become member' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).to.match(/owner/);
    expect(await page.getByLabel('Role of Ada').inputValue()).to.equal('owner');
    await expectAccessible('last owner');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Email (optional)').fill('grace@example.org');
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    await page.getByText('Grace is a member already.').waitFor();
    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await expectAccessible('removing');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('rowheader', { name: /Grace/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Make an invitation link' }).click();
    await page.getByText(/Send this link to grace@example.org/).waitFor();
    await page.getByText('grace@example.org, Member, by Ada').waitFor();
    expect(await page.getByRole('rowheader', { name: /Grace/ }).count(), 'before she accepts').to.equal(0);
    await close();
  });

  it('is renamed, and shows both names when another person was first', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 412/ });
    await open(`/teams/${teamId}`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await service.person.renameTeam({ path: { team_id: teamId }, body: { name: 'Theirs' } });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText(/Someone else renamed it to/).waitFor();
    await expectAccessible('both names');
    await page.getByRole('button', { name: 'Set mine' }).click();
    await page.getByRole('heading', { name: 'Members of Mine' }).waitFor();
    await service.person.renameTeam({ path: { team_id: teamId }, body: { name: 'Core' } });
    await close();
  });

  it('reads its audit log page by page, in words', async () => {
    for (let number = 0; number < 60; number += 1)
      await service.person.createProject({ path: { team_id: teamId }, body: { name: `project ${number}` } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${teamId}/audit`);
    await page.getByText('created the project “project 59”').waitFor();
    expect(await page.getByText('created the project “project 0”').count()).to.equal(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('created the project “project 0”').waitFor();
    await page.getByText('renamed the team from “Core” to “Theirs”').waitFor();
    await expectAccessible('audit log');
    await page.getByLabel('What').selectOption('Team');
    await page.getByText('created the project “project 0”').waitFor({ state: 'detached' });
    await page.getByText('renamed the team from “Core” to “Theirs”').waitFor();
    await page.getByLabel('What').selectOption('Projects');
    await page.getByLabel('Sort').selectOption('Oldest first');
    await page.getByText('created the project “project 0”').waitFor();
    expect(await page.getByText('created the project “project 59”').count()).to.equal(0);
    await expectAccessible('filtered audit log');
    expect(await downloaded(page, 'audit.csv'))
      .to.contain('project 59')
      .and.not.contain('team.rename');
    await page.reload();
    expect(await page.getByLabel('What').inputValue()).to.equal('project');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await page.getByText('No entry of the audit log matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await page.getByText('created the team').waitFor();
    await page
      .getByRole('row', { name: /Grace.*Not in the team now/ })
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /Ada.*Not in the team now/ }).count()).to.equal(0);
    await close();
  });

  it('shows members who is in it, and offers them nothing but to leave', async () => {
    const linus = await joinedBy(service, teamId, 'member', 'Linus');
    const { page, open, close, expectAccessible } = await visit(linus);
    await open(`/teams/${teamId}`);
    await page.getByRole('rowheader', { name: /Linus/ }).waitFor();
    expect(await page.getByRole('combobox').count()).to.equal(0);
    expect(await page.getByRole('button', { name: /Remove|invitation|Rename/ }).count()).to.equal(0);
    await expectAccessible('as a member');
    await open(`/teams/${teamId}/audit`);
    await page.getByText('Only owners of the team read its audit log.').waitFor();
    await expectAccessible('audit log of a member');
    await open(`/teams/${teamId}`);
    await page.getByRole('button', { name: 'Leave Core' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await close();
  });

  it('finds members by name and address, and exports them', async () => {
    for (const name of ['Barbara', 'Edsger', 'Frances', 'Hedy', 'Jean'])
      await joinedBy(service, teamId, 'viewer', name);
    const { page, open, close, expectAccessible } = await visit(service, { width: 320 });
    await open(`/teams/${teamId}`);
    await page.getByLabel('Find a member').fill('EDSGER @');
    await page.getByRole('row', { name: /Ada/ }).waitFor({ state: 'detached' });
    expect(await page.locator('table tbody tr').count()).to.equal(1);
    await expectAccessible('members found');
    const lines = (await downloaded(page, 'members.csv')).trimEnd().split('\r\n');
    expect(lines).to.have.length(2);
    expect(lines[1]).to.match(/^"Edsger",/);
    await page.getByLabel('Find a member').fill('nobody');
    await page.getByText('No member of this team matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all members' }).click();
    await page.getByRole('row', { name: /Jean/ }).waitFor();
    await close();
  });
});
