import { joinedBy, startWithTeam } from './browser/people.js';
import { addressOf, type ReleasePath, trendWritten } from './browser/places.js';
import type { Service } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('people who are gone, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let from: string;

  before(async () => {
    const started = await startWithTeam();
    service = started.service;
    const [entry] = (await service.person.readPortfolio()).body.data;
    const { project, readiness } = entry ?? {};
    path = {
      team_id: started.teamId,
      project_id: project?.id ?? '',
      release_id: readiness?.release.id ?? '',
    };
    await trendWritten(service.person, path);
    from = new Date().toISOString();
    for (const name of ['Grace', 'Linus']) {
      const { person } = await joinedBy(service, path.team_id, 'member', name);
      const { id: user_id } = (await person.readSession()).body.data.user;
      const title = `Issue of ${name}`;
      await person.createIssue({ path, body: { title, type: 'task', state: 'todo', release_id: path.release_id } });
      if (name === 'Grace') await service.person.removeMember({ path: { team_id: path.team_id, user_id } });
      else await service.person.disablePerson({ path: { user_id } });
    }
    await trendWritten(service.person, path);
  });
  after(() => service.stop());

  it('are marked in the audit log', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${path.team_id}/audit`);
    await page
      .getByRole('row', { name: /Grace.*Not in the team now/ })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: /Linus.*Account disabled/ })
      .first()
      .waitFor();
    await expectAccessible('audit log of people who are gone');
    await close();
  });

  it('are marked among the members while their account is disabled', async () => {
    const { page, open, close } = await visit(service);
    await open(`/teams/${path.team_id}`);
    await page.getByRole('row', { name: /Linus.*account disabled/ }).waitFor();
    await close();
  });

  it('are marked in the score over time, and in what changed', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('region', { name: 'Score over time' }).locator('summary').first().click();
    await page.getByText(/by .*Grace \(not in the team now\)/).waitFor();
    await page.getByText(/Linus \(account disabled\)/).waitFor();
    await expectAccessible('the trend, with who is gone');
    await open(`${addressOf(path)}/difference?${new URLSearchParams({ from })}`);
    const records = page.getByRole('region', { name: 'Records that changed it' });
    await records.getByRole('row').filter({ hasText: 'Issue of Grace' }).getByText('(not in the team now)').waitFor();
    await records.getByRole('row').filter({ hasText: 'Issue of Linus' }).getByText('(account disabled)').waitFor();
    await expectAccessible('what changed, with who is gone');
    await close();
  });
});
