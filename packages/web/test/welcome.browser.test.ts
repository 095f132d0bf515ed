import { expect } from 'chai';
import { joinedBy } from './browser/people.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** The key in the export line of text for a terminal. */
const keyIn = (lines: string): string => /SHIPWORTHY_API_KEY=(\S+)/.exec(lines)?.[1] ?? '';

describe('the way from nothing to the first report, in a browser', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('founds a team and a project, shows the key once, listens, and says what was received', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open('/');
    await page.getByRole('link', { name: 'Create a project' }).click();
    await expectAccessible('first step');
    await page.getByRole('button', { name: 'Create the team' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await expectAccessible('first step, refused');
    await page.getByLabel('Name of the team').fill('Core');
    await page.getByRole('button', { name: 'Create the team' }).click();
    await page.getByLabel('Name of the project').fill("Ada's shop");
    await expectAccessible('second step');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Listening for the first report').waitFor();
    await expectAccessible('listening');

    const key = keyIn((await page.getByRole('region', { name: 'Settings for both ways' }).textContent()) ?? '');
    const curl = (await page.getByRole('region', { name: 'With curl' }).textContent()) ?? '';
    expect(curl).to.contain(`'{"app_name":"Ada'\\''s shop",`);
    const address = /\$SHIPWORTHY_API_URL(\/api\/teams\/\S+\/test-runs)/.exec(curl)?.[1] ?? '';
    const answer = await fetch(service.url + address, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"total": 10, "passed": 9, "failed": 1}',
    });
    expect(answer.status).to.equal(201);
    await page.getByText('Received: 9 of 10 tests passed').waitFor();
    await expectAccessible('received');
    await page.getByRole('link', { name: 'See the scorecard' }).click();
    await page.getByRole('heading', { name: "Ada's shop 1.0" }).waitFor();
    await close();
  });

  it('goes on with the release when only the project could be created', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open('/welcome');
    await page.getByRole('button', { name: 'Core' }).click();
    await page.getByLabel('Name of the project').fill('half');
    await page.getByLabel('Next release').fill('');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByText('Project half is created; its release is not yet.').waitFor();
    await expectAccessible('second step, half done');
    await page.getByLabel('Next release').fill('0.1');
    await page.getByRole('button', { name: 'Create the release' }).click();
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    await page.getByRole('link', { name: 'Skip this and open the scorecard' }).click();
    await page.getByRole('heading', { level: 1, name: 'half 0.1' }).waitFor();
    await page.getByRole('region', { name: 'Getting started' }).waitFor();
    expect(await page.getByRole('region', { name: 'Why' }).count()).to.equal(0);
    await expectAccessible('a scorecard that nothing was reported to');
    await page.getByText('What the gate requires').click();
    await page.getByRole('region', { name: 'Why' }).getByText('is not measured').first().waitFor();
    await expectAccessible('its reasons, opened');
    await page.getByRole('link', { name: 'Report from your pipeline' }).click();
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    await close();
  });

  it('offers a viewer no team to make a project in', async () => {
    const { body } = await service.person.listTeams();
    const viewer = await joinedBy(service, body.data.find(({ name }) => name === 'Core')?.id ?? '', 'viewer');
    const { page, open, close } = await visit(viewer);
    await open('/welcome');
    await page.getByLabel('Name of the team').waitFor();
    expect(await page.getByRole('button', { name: 'Core' }).count()).to.equal(0);
    await close();
  });

  it('continues at the same step after a reload', async () => {
    const { page, open, close } = await visit(service);
    await open('/welcome');
    await page.getByRole('button', { name: 'Core' }).click();
    await page.getByLabel('Name of the project').waitFor();
    await page.reload();
    await page.getByLabel('Name of the project').fill('search');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    await close();
  });
});
