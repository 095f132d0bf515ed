import { expect } from 'chai';
import { joinedBy } from './browser/people.js';
import { makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the checklist template of a project, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    address = `/teams/${path.team_id}/projects/${path.project_id}/settings/checklist`;
  });
  after(() => service.stop());

  const titles = async () => {
    const { body } = await service.person.readChecklistTemplate({ path });
    return body.data.items.map(({ title }) => title);
  };

  it('is edited line by line, and refused where a line is there twice', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    const items = page.getByLabel('Items');
    await items.waitFor();
    expect(await items.inputValue()).to.equal('Docs\nFeature flag\nRollback');
    await expectAccessible('checklist template');
    await items.fill('Docs\n\nDocs\n');
    await page.getByText('“Docs” is there twice').waitFor();
    await expectAccessible('checklist template with a fault');
    await items.fill('Docs\n\n  Support team briefed  \n');
    await page.getByRole('button', { name: 'Save the template' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await titles()).to.deep.equal(['Docs', 'Support team briefed']);
    expect(await items.inputValue()).to.equal('Docs\nSupport team briefed');
    await close();
  });

  it('is not overwritten unseen', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 412/ });
    await open(address);
    await page.getByLabel('Items').fill('Rollback');
    await service.person.replaceChecklistTemplate({ path, body: { items: [{ title: 'Pen test' }] }, ifMatch: 2 });
    await page.getByRole('button', { name: 'Save the template' }).click();
    await page.getByText(/was saved while you were changing it.*Pen test/).waitFor();
    await expectAccessible('conflict of templates');
    expect(await titles()).to.deep.equal(['Pen test']);
    await page.getByRole('button', { name: 'Set mine' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await titles()).to.deep.equal(['Rollback']);
    await close();
  });

  it('is read by members, and changed by owners', async () => {
    const { page, open, close, expectAccessible } = await visit(await joinedBy(service, path.team_id, 'member'));
    await open(address);
    await page.getByText('Owners of the team change the template.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Rollback' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save the template' }).count()).to.equal(0);
    await expectAccessible('checklist template of a member');
    await close();
  });
});
