import { expect } from 'chai';
import { downloaded } from './browser/download.js';
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
    it(`are shown among the five, each with its records, ${scheme} at ${width} px`, async () => {
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
      await page.getByRole('button', { name: 'Ship …' }).click();
      await page.getByRole('dialog').getByText('6 of 6 measured').waitFor();
      await page.getByRole('button', { name: 'Not yet' }).click();
      await cards.getByRole('link', { name: 'Security' }).click();
      await page.getByText('100 × 48 ÷ 50 findings = 96.0').waitFor();
      await page.getByText('Minimum 97.').waitFor();
      await page.getByText('48 of 50', { exact: true }).waitFor();
      await expectAccessible('an own axis');
      expect(await downloaded(page, 'security-rows.csv'))
        .to.contain('\r\n"yes",,')
        .and.contain(',"security",48,50,"2 are open",');
      await page.getByRole('link', { name: 'Texts in all languages' }).click();
      await page.getByRole('heading', { name: 'No report yet' }).waitFor();
      await page.getByText(`npx @shipworthy/cli axis report translations --app`).waitFor();
      await open(`${addressOf(path)}/axes/nothing`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await close();
    });

  it('count among what is measured on the screen of the project', async () => {
    const { page, open, close } = await visit(service);
    await open(`/teams/${path.team_id}/projects/${path.project_id}`);
    await page.locator('.standing').getByText('6 of 6 measured').waitFor();
    await close();
  });

  it('say among all projects when a report of one was last recorded', async () => {
    await makeRelease(service.person, 'basket');
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    const reports = page.locator('.reported').filter({ hasText: 'Own axis' });
    await reports.filter({ hasText: /Own axis (just now|\d+ (second|minute)s? ago)/ }).waitFor();
    expect(await reports.count(), 'only where there is one').to.equal(1);
    await expectAccessible('projects, one with an own axis');
    await close();
  });

  it('are changed in the simulation: parts, a first report and another minimum, as the server answers', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    const outcome = page.getByRole('region', { name: 'What if: result' });
    await outcome.getByText('Security is at 96, below').waitFor();
    const slider = page.getByRole('slider', { name: 'Security (findings)' });
    expect(await slider.getAttribute('aria-valuetext')).to.equal('48 of 50');
    // An axis of weight 0 changes nothing.
    expect(await page.getByText('Texts in all languages (').count()).to.equal(0);
    await page.getByRole('button', { name: 'One more: Security (findings)' }).press('Enter');
    await outcome.getByText('Security is at 96, below').waitFor({ state: 'detached' });
    await expectAccessible('an own axis supposed');
    const body = { facts: { own_axes: [{ axis: 'security', part: 49, whole: 50 }] } };
    const { data } = (await service.person.askWhatIf({ path, body })).body;
    expect(data.report.formula).to.equal('2');
    expect(await outcome.textContent()).to.contain((Math.floor((data.report.score ?? 0) * 10) / 10).toFixed(1));
    await page.getByRole('button', { name: 'Reset' }).click();
    await outcome.getByText('Security is at 96, below').waitFor();
    await page.getByText('Try other thresholds').click();
    await page.getByLabel('Minimum Security').fill('120');
    await page.getByText('must be 0 to 100').first().waitFor();
    await page.getByLabel('Minimum Security').fill('96');
    await outcome.getByText('Security is at 96, below').waitFor({ state: 'detached' });
    await close();
  });

  it('have a report added in the simulation while none counts', async () => {
    const bare = await makeRelease(service.person, 'bare', '1.0');
    const { data: policy } = (await service.person.readPolicy({ path: bare })).body;
    await service.person.replacePolicy({
      path: bare,
      body: { ...policy, own_axes: OWN_AXES },
      ifMatch: policy.version,
    });
    const { page, open, close } = await visit(service);
    await open(addressOf(bare));
    const outcome = page.getByRole('region', { name: 'What if: result' });
    await outcome.getByText(/^Security is not measured/).waitFor();
    await page.getByRole('button', { name: 'Add a report of Security' }).press('Enter');
    await outcome.getByText(/^Security is not measured/).waitFor({ state: 'detached' });
    const slider = page.getByRole('slider', { name: 'Security (findings)' });
    expect(await slider.getAttribute('aria-valuetext')).to.equal('100 of 100');
    await slider.press('Home');
    await outcome.getByText('Security is at 0, below').waitFor();
    await close();
  });

  it('show in the portfolio, by decision, score, coverage and first reason, as reports come in', async () => {
    const portal = await makeRelease(service.person, 'portal', '1.0');
    await fill(service.person, portal);
    const { data: policy } = (await service.person.readPolicy({ path: portal })).body;
    const lax = { threshold: 0, minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 } };
    await service.person.replacePolicy({
      path: portal,
      body: { ...policy, ...lax, own_axes: OWN_AXES },
      ifMatch: policy.version,
    });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const row = page.getByRole('row', { name: /portal/ });
    const reads = async (...texts: readonly string[]) => {
      const { score } = (await service.person.readReadiness({ path: portal })).body.data;
      const digits = (Math.floor((score ?? 0) * 10) / 10).toFixed(1);
      for (const text of [...texts, digits]) await row.getByText(text).first().waitFor();
      return score ?? 0;
    };
    const report = (part: number) =>
      service.person.recordAxisReport({ path: { ...portal, axis: 'security' }, body: { part, whole: 50 } });
    // Five axes of weight 1 are measured, that of weight 2 is not.
    const without = await reads('Unknown', '71 % measured', 'Security is not measured');
    await report(48);
    const below = await reads('Hold', '100 % measured', 'Security is at 96, below');
    await expectAccessible('a portfolio with own axes');
    await report(50);
    const whole = await reads('Go', '100 % measured', 'None');
    expect(below).to.be.above(without);
    expect(whole).to.be.above(below);
    await close();
  });

  it('are changed in the policy, previewed and saved', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${path.team_id}/projects/${path.project_id}/settings/policy`);
    const group = page.getByRole('group', { name: 'Axis security' });
    await group.getByLabel('Minimum').fill('90');
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

  it('are counted by the service where the policy says so, each change at once', async () => {
    const counted = await makeRelease(service.person, 'counted', '1.0');
    await fill(service.person, counted);
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${counted.team_id}/projects/${counted.project_id}/settings/policy`);
    await page.getByRole('button', { name: 'New axis' }).click();
    const added = page.getByRole('group', { name: 'New axis' });
    await added.getByLabel('Name in reports').fill('evidence');
    const group = page.getByRole('group', { name: 'Axis evidence' });
    expect(await group.getByLabel('Report not older than').count()).to.equal(1);
    await group.getByLabel('Its numbers come from').selectOption('Checklist items with evidence');
    expect(await group.getByLabel('Report not older than').count(), 'what is counted is never old').to.equal(0);
    await group.getByLabel('Weight').fill('1');
    await expectAccessible('policy with a counted axis');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    const { data } = (await service.person.readPolicy({ path: counted })).body;
    expect(data.own_axes?.[0]).to.include({ name: 'evidence', counted_from: 'checklist_evidence', weight: 1 });

    await open(addressOf(counted));
    const items = (await service.person.listChecklist({ path: counted })).body.data;
    const bare = items.find(({ evidence }) => evidence.length === 0);
    const proven = items.filter(({ evidence }) => evidence.length > 0).length;
    const told = (part: number) => `${part} of ${items.length} checklist items with evidence`;
    const card = page.getByRole('list', { name: 'The axes' }).locator('> li', { hasText: 'Evidence' });
    await card.getByText(told(proven)).waitFor();
    expect(await card.innerText(), 'a count is of now').not.to.contain('measured');
    const url = 'https://ci.acme.dev/runs/7';
    await service.person.addEvidence({ path: { ...counted, item_id: bare?.id ?? '' }, body: { url, label: 'Run' } });
    await card.getByText(told(proven + 1)).waitFor();
    await card.getByRole('link', { name: 'Evidence' }).click();
    await page.getByText('Checklist items that have evidence, of all that apply.').waitFor();
    await page.getByRole('link', { name: 'Launch checklist' }).waitFor();
    await page.getByRole('rowheader', { name: bare?.title ?? '' }).waitFor();
    await expectAccessible('a counted axis');
    expect(await downloaded(page, 'evidence-rows.csv')).to.contain(url);

    // The screen stays open while the axis is reported instead, and counted again.
    const become = async (counted_from: 'checklist_evidence' | null) => {
      const { data: policy } = (await service.person.readPolicy({ path: counted })).body;
      const own_axes = [{ name: 'evidence', weight: 1, counted_from }];
      await service.person.replacePolicy({ path: counted, body: { ...policy, own_axes }, ifMatch: policy.version });
    };
    await become(null);
    await page.getByRole('heading', { name: 'No report yet' }).waitFor();
    await service.person.recordAxisReport({ path: { ...counted, axis: 'evidence' }, body: { part: 7, whole: 9 } });
    await page.getByText('7 of 9', { exact: true }).waitFor();
    await become('checklist_evidence');
    await page.getByRole('rowheader', { name: bare?.title ?? '' }).waitFor();
    await close();
  });
});
