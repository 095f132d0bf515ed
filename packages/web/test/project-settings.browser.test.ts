import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the settings of a project, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let base: string;
  let receiver: Server;
  let target: string;
  let status = 200;
  before(async () => {
    service = await startService({ webhookTargets: ['127.0.0.1'] });
    path = await makeRelease(service.person);
    await fill(service.person, path);
    base = `/teams/${path.team_id}/projects/${path.project_id}/settings`;
    receiver = createServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    target = `127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  after(async () => {
    await service.stop();
    receiver.close();
  });

  it('renames it', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(base);
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await expectAccessible('refused');
    await page.getByLabel('Name', { exact: true }).fill('till');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Settings of till' }).waitFor();
    await expectAccessible('renamed');
    await close();
  });

  it('drops a name typed for one project when another is opened, and renames by Enter', async () => {
    const { body } = await service.person.createProject({ path, body: { name: 'basket' } });
    const other = { team_id: path.team_id, project_id: body.data.id };
    const { page, open, close } = await visit(service);
    /** Follows a link in the page, so that the application goes on with all that it holds. */
    const follow = (to: string) =>
      page.evaluate((href) => {
        const link = document.createElement('a');
        link.href = href;
        document.body.append(link);
        link.click();
        link.remove();
      }, to);
    const name = page.getByLabel('Name', { exact: true });
    const otherBase = `/teams/${other.team_id}/projects/${other.project_id}/settings`;
    await open(otherBase);
    await page.getByRole('heading', { level: 1, name: 'Settings of basket' }).waitFor();
    await follow(base);
    await page.getByRole('heading', { level: 1, name: 'Settings of till' }).waitFor();
    await name.fill('meant for till');
    await follow(otherBase);
    await page.getByRole('heading', { level: 1, name: 'Settings of basket' }).waitFor();
    expect(await name.inputValue()).to.equal('basket');
    await name.fill('cart');
    await name.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings of cart' }).waitFor();
    expect((await service.person.readProject({ path })).body.data.name).to.equal('till');
    await close();
  });

  it('asks before it renames over a name that another person gave while this one typed', async () => {
    const { person } = service;
    const { page, open, close } = await visit(service, { mayComplain: /status of 412/ });
    await open(base);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await person.renameProject({ path, body: { name: 'theirs' } });
    // Its event makes the screen read the project again.
    await person.recordTestRun({ path, body: { suite: 'unit', total: 412, passed: 9, failed: 403 } });
    await page.getByRole('heading', { level: 1, name: 'Settings of theirs' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText(/Someone else renamed it to/).waitFor();
    expect((await person.readProject({ path })).body.data.name).to.equal('theirs');
    await page.getByRole('button', { name: 'Set mine' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings of mine' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings of theirs' }).waitFor();
    await person.renameProject({ path, body: { name: 'till' } });
    await close();
  });

  it('sends its events to webhooks, and tells how that goes', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of (412|422)/ });
    await open(`${base}/webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    await expectAccessible('new webhook');
    await page.getByLabel('Address').fill('http://10.0.0.1/internal');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByLabel('Address').fill(`http://${target}`);
    await page.getByLabel('Address').press('Enter');
    const secret = page.getByRole('region', { name: 'Signing secret' });
    const first = await secret.textContent();
    expect(first).to.match(/^whsec_/);
    await expectAccessible('secret shown');
    await page.getByRole('button', { name: `Send a test to ${target}` }).click();
    await page.getByText('Delivered').waitFor();
    await page.getByText(/1 try; last: 200 after/).waitFor();
    await expectAccessible('delivered');
    const lines = (await downloaded(page, 'deliveries.csv', `deliveries to ${target}`)).trimEnd().split('\r\n');
    expect(lines).to.have.length(2);
    expect(lines[1]).to.match(/"webhook\.test","delivered",1,,"[^"]+",\d+,200,,/);
    status = 503;
    await page.getByRole('button', { name: /^Send again: webhook.test/ }).click();
    await page.getByText(/last: 503 after/).waitFor();
    await page.getByText('Retrying').waitFor();

    await page.getByRole('button', { name: `Rotate the secret of ${target}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText(/signed with the former secret too/).waitFor();
    expect(await secret.textContent())
      .to.match(/^whsec_/)
      .and.not.equal(first);
    await page.getByRole('button', { name: `Disable the webhook to ${target}` }).click();
    await page.getByText('An owner disabled it.').waitFor();
    await expectAccessible('disabled');
    expect(await page.getByRole('button', { name: /^Send a test/ }).count()).to.equal(0);
    await page.getByRole('button', { name: `Enable the webhook to ${target}` }).click();
    await page.getByText('Nothing is sent.').waitFor({ state: 'detached' });
    const { data: webhooks } = (await service.person.listWebhooks({ path })).body;
    for (const { id } of webhooks)
      await service.person.changeWebhook({ path: { ...path, webhook_id: id }, body: { types: ['release.canceled'] } });
    await page.getByRole('button', { name: `Disable the webhook to ${target}` }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /changed/ })
      .waitFor();
    await page.getByText('Release canceled').waitFor();
    await expectAccessible('changed by someone else');
    await page.reload();
    await page.getByRole('heading', { name: target }).waitFor();
    expect(await page.content()).not.to.contain('whsec_');
    await page.getByRole('button', { name: `Remove the webhook to ${target}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No webhook' }).waitFor();
    await close();
  });

  it('shows its badge to anyone who has the address, until it is hidden', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${base}/badge`);
    await page.getByRole('heading', { name: 'No badge is shown' }).waitFor();
    await expectAccessible('no badge');
    await page.getByRole('button', { name: 'Show the badge' }).click();
    const address = page.getByRole('region', { name: 'Address of the image' });
    await address.waitFor();
    await page.getByRole('img', { name: 'Badge of till' }).waitFor();
    await expectAccessible('badge');
    const url = (await address.textContent()) ?? '';
    expect(await page.getByRole('region', { name: 'Line for a README' }).textContent()).to.contain(`](${url})](`);
    expect((await fetch(url)).status).to.equal(200);
    await page.reload();
    await page.getByText('Ada made the address just now.').waitFor();
    expect(await page.content()).not.to.contain('token=');
    await page.getByRole('button', { name: 'Hide the badge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide the badge' }).click();
    await page.getByRole('heading', { name: 'No badge is shown' }).waitFor();
    expect((await fetch(url)).status).to.equal(404);
    await close();
  });

  it('fits the smallest screens, in the dark too', async () => {
    const { data: webhook } = (
      await service.person.createWebhook({ path, body: { url: `http://${target}`, types: ['gate.changed'] } })
    ).body;
    await service.person.createApiKey({ body: { name: 'checkout pipeline', scopes: ['read'] } });
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    const own = ['', '/repository-host', '/account'].map((part) => `/settings${part}`);
    const ofTeam = ['', '/audit'].map((part) => `/teams/${path.team_id}${part}`);
    const ofProject = ['', '/repository', '/policy', '/webhooks', '/badge'].map((part) => base + part);
    for (const address of [...own, ...ofTeam, ...ofProject]) {
      await open(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton, .awaited').first().waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).to.equal(320);
      await expectAccessible(address);
    }
    await service.person.removeWebhook({ path: { ...path, webhook_id: webhook.id } });
    await close();
  });

  it('shows members what they may see', async () => {
    const linus = await joinedBy(service, path.team_id, 'member', 'Linus');
    const { page, open, close, expectAccessible } = await visit(linus);
    await open(base);
    await page.getByText('An owner of the team can change it.').waitFor();
    await expectAccessible('name, as a member');
    for (const part of ['webhooks', 'badge']) {
      await open(`${base}/${part}`);
      await page.getByText(/^Only owners of the team/).waitFor();
      await expectAccessible(`${part}, as a member`);
    }
    await open(`${base}/repository`);
    await page.getByText('An owner of the team can link one.').waitFor();
    await expectAccessible('repository, as a member');
    await close();
  });
});
