import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the gate policy, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    address = `/teams/${path.team_id}/projects/${path.project_id}/settings/policy`;
  });
  after(() => service.stop());

  const policy = async () => (await service.person.readPolicy({ path })).body.data;

  it('shows what it would decide before it is saved, and keeps every version', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByText('No decision changes').waitFor();
    await expectAccessible('policy');
    await page.getByLabel('Minimum of Ops').fill('30');
    await page.getByLabel('Minimum readiness score').fill('60');
    await page.getByText('1 decision of 1 changes').waitFor();
    await page.getByText('Not saved yet.').waitFor();
    expect((await policy()).version).to.equal(1);
    await page.getByLabel('Deployments that count').selectOption('named');
    await page.getByText('Choose one at least, or let all count.').waitFor();
    await page.getByText('Correct what is marked to see it.').waitFor();
    await page.getByRole('checkbox', { name: 'production' }).check();
    await page.getByLabel('Another environment').fill('eu-production');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Test run not older than, in hours').fill('48');
    await page.getByLabel('Open critical bugs at most').fill('');
    await page.getByRole('checkbox', { name: 'Verification must be measured' }).uncheck();
    await page.getByLabel('Weight of Ops').fill('2');
    await expectAccessible('policy changed');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    expect(await policy()).to.deep.include({
      version: 2,
      threshold: 60,
      environments: ['eu-production', 'production'],
      freshness_hours: 48,
      max_open_critical_bugs: null,
      required_axes: ['scope', 'quality', 'ops', 'stability'],
    });
    await page.getByText('Minimum score: 80 →').waitFor();
    await page.getByText('by Ada').waitFor();
    const lines = (await downloaded(page, 'policy-versions.csv', 'versions')).trimEnd().split('\r\n');
    expect(lines).to.have.length(3);
    expect(lines[1])
      .to.match(/^2,"[^"]+","Ada",60,/)
      .and.contain(',"[""eu-production"",""production""]",48,');
    await expectAccessible('policy with its versions');
    await close();
  });

  it('offers the environments of the deployments, before and after these were looked at', async () => {
    const { page, open, close } = await visit(service);
    const deployments = page.getByRole('link', { name: 'staging 3' });
    const choice = page.getByLabel('Deployments that count');
    await open(`/teams/${path.team_id}/projects/${path.project_id}/deployments`);
    await deployments.waitFor();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Gate policy' }).click();
    await choice.selectOption('named');
    await page.getByRole('checkbox', { name: 'staging' }).waitFor();
    await page.goBack();
    await page.goBack();
    await deployments.waitFor();
    await close();
  });

  it('says of shipped releases with failed deployments that it would have held them', async () => {
    const { project_id, team_id } = path;
    const inProject = { team_id, project_id };
    await service.person.shipRelease({ path, body: {} });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByLabel('Deployments that count').selectOption('all');
    await page.getByLabel('Minimum of Stability', { exact: true }).fill('90');
    await page.getByText(/1 release that shipped and had failed deployments would have been held/).waitFor();
    await expectAccessible('would have been held');
    await close();
    const { body } = await service.person.createRelease({ path: inProject, body: { name: '2.5' } });
    path = { ...inProject, release_id: body.data.id };
  });

  it('shows two people both policies, and overwrites none unseen', async () => {
    const conflicts = { mayComplain: /status of 412/ };
    const [ada, other] = [await visit(service, conflicts), await visit(service, conflicts)];
    await ada.open(address);
    await other.open(address);
    await other.page.getByLabel('Minimum readiness score').fill('70');
    await ada.page.getByLabel('Minimum readiness score').fill('65');
    await ada.page.getByRole('button', { name: 'Save the policy' }).click();
    await ada.page.getByText('Saved as version 3.').waitFor();
    await other.page.getByRole('button', { name: 'Save the policy' }).click();
    await other.page.getByText(/Someone else saved version 3 of the policy/).waitFor();
    await other.page.getByRole('row', { name: 'Minimum score 65 70' }).waitFor();
    await other.expectAccessible('two policies');
    expect((await policy()).threshold).to.equal(65);
    await other.page.getByRole('button', { name: 'Save mine over it' }).click();
    await other.page.getByText('Saved as version 4.').waitFor();
    expect((await policy()).threshold).to.equal(70);
    await ada.page.getByLabel('Minimum readiness score').fill('66');
    await ada.page.getByRole('button', { name: 'Save the policy' }).click();
    await ada.page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await ada.page.getByLabel('Minimum readiness score').inputValue()).to.equal('70');
    expect((await policy()).version).to.equal(4);
    await ada.close();
    await other.close();
  });

  it('is tried by viewers, who save nothing', async () => {
    const grace = await joinedBy(service, path.team_id, 'viewer');
    const { page, open, close, expectAccessible } = await visit(grace);
    await open(address);
    await page.getByText('Owners of the team change the policy.').waitFor();
    await page.getByLabel('Minimum readiness score').fill('10');
    expect(await page.getByRole('button', { name: 'Save the policy' }).count()).to.equal(0);
    await expectAccessible('as a viewer');
    await close();
  });
});
