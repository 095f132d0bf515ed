import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const OWN_AXES = [
  { name: 'security', unit: { one: 'finding', many: 'findings' }, weight: 2, minimum: 97, required: true },
  { name: 'translations', title: 'Texts in all languages' },
];

describe('own axes, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const { data: policy } = (await service.person.readPolicy({ path })).body;
    await service.person.replacePolicy({ path, body: { ...policy, own_axes: OWN_AXES }, ifMatch: policy.version });
    const body = { part: 48, whole: 50, explanation: '2 are open', url: 'https://ci.acme.dev/scans/7' };
    await service.person.recordAxisReport({ path: { ...path, axis: 'security' }, body });
  });
  after(() => service.stop());

  for (const [width, scheme] of [
    [1280, 'light'],
    [320, 'dark'],
  ] as const)
    it(`stand among the five, each with its records, ${scheme} at ${width} px`, async () => {
      const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
      await open(addressOf(path));
      const cards = page.getByRole('list', { name: 'The axes' });
      await cards.getByRole('link', { name: 'Security' }).waitFor();
      expect(await cards.locator('> li').count()).to.equal(7);
      const security = cards.locator('> li', { hasText: 'Security' });
      expect(await security.innerText())
        .to.contain('96.0')
        .and.contain('below 97')
        .and.contain('48 of 50 findings');
      expect(await security.innerText())
        .to.contain('Minimum 97')
        .and.contain('Weight 2');
      const texts = cards.locator('> li', { hasText: 'Texts in all languages' });
      expect(await texts.innerText())
        .to.contain('Not measured')
        .and.contain('not counted');
      await page.getByText('6 of 6 measured').first().waitFor();
      await expectAccessible('scorecard with own axes');
      await cards.getByRole('link', { name: 'Security' }).click();
      await page.getByText('100 × 48 ÷ 50 findings = 96.0').waitFor();
      await page.getByText('The gate asks for at least 97.').waitFor();
      await page.getByText('48 of 50', { exact: true }).waitFor();
      await expectAccessible('an own axis');
      await page.getByRole('link', { name: 'Texts in all languages' }).click();
      await page.getByRole('heading', { name: 'No report yet' }).waitFor();
      await page.getByText(`npx @shipworthy/cli axis report translations --app`).waitFor();
      await open(`${addressOf(path)}/axes/nothing`);
      await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
      await close();
    });

  it('are changed in the policy, previewed and saved', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${path.team_id}/projects/${path.project_id}/settings/policy`);
    const group = page.getByRole('group', { name: 'Axis security' });
    await group.getByLabel('At least').fill('90');
    await page.getByRole('button', { name: 'Remove translations' }).click();
    await page.getByRole('button', { name: 'New axis' }).click();
    const added = page.getByRole('group', { name: 'New axis' });
    await added.getByText('Enter 2 to 40 small letters').waitFor();
    await added.getByLabel('Name in reports').fill('page_speed');
    await expectAccessible('policy with own axes');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    const { data } = (await service.person.readPolicy({ path })).body;
    expect(data.own_axes?.map(({ name, minimum }) => [name, minimum])).to.deep.equal([
      ['page_speed', 0],
      ['security', 90],
    ]);
    await page.getByText('Own axis page_speed: none').first().waitFor();
    await close();
  });
});
