import type { ReadinessReport, WhatIfRequest } from '@shipworthy/client';
import { judgementForm } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { factsOfReport, judge } from '../src/screens/scorecard/what-if/judge.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** What is judged, without whose and when. */
const judgementOf = ({ project: _, release: __, as_of: ___, ...judged }: ReadinessReport) => judged;

describe('what if, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    await service.person.createIssue({
      path,
      body: { title: 'Charged twice', type: 'bug', severity: 'critical', state: 'todo', release_id: path.release_id },
    });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await service.person.waiveReason({
      path,
      body: { code: 'open_critical_bugs', text: 'Behind a flag.', expires_at },
    });
  });
  after(() => service.stop());

  it('is exactly what the server answers, for any question', async () => {
    const { person } = service;
    const [{ body: read }, { body: policy }, { body: waivers }] = await Promise.all([
      person.readReadiness({ path }),
      person.readPolicy({ path }),
      person.listWaivers({ path }),
    ]);
    const known = { report: read.data, policy: policy.data, waivers: waivers.data };
    const facts = factsOfReport(read.data);
    const ran_at = read.data.as_of;
    const requests: readonly WhatIfRequest[] = [
      {},
      { facts: { scope: { done: 6, total: 7 } } },
      { facts: { ops: { done: 3, total: 3 } } },
      { facts: { ops: { done: 2, total: 3 }, verification: { passed: 412, total: 412, ran_at } } },
      { facts: { stability: { succeeded: 19, failed: 1, in_progress: 0 } }, policy: { threshold: 99.5 } },
      { facts: { verification: { passed: 1, total: 412, ran_at } }, policy: { minimums: { ops: 30, scope: 100 } } },
      {
        facts: {
          scope: { done: 6, total: 7 },
          quality: { resolved: 3, total: 3, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
        },
      },
    ];
    for (const request of requests) {
      const { body } = await person.askWhatIf({ path, body: request });
      const { answer } = judge(known, facts, request);
      expect(answer && judgementForm(answer.report), JSON.stringify(request)).to.deep.equal(
        judgementOf(body.data.report),
      );
      expect(answer?.before).to.deep.equal(body.data.before);
    }
  });

  it('shows at once the assumed report, by keyboard, and never changes the real one', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    const outcome = page.getByRole('region', { name: 'What if: result' });
    const gate = page.getByRole('region', { name: 'Ship gate' });
    await outcome.getByText('Simulation. Nothing is saved.').waitFor();
    const real = await gate.textContent();
    await page.getByRole('slider', { name: 'Checklist items ticked' }).press('End');
    await page.getByRole('slider', { name: 'Bugs resolved', exact: true }).press('End');
    await outcome.getByText('Go', { exact: true }).waitFor();
    await expectAccessible('something supposed');
    const { body } = await service.person.askWhatIf({
      path,
      body: {
        facts: {
          scope: { done: 6, total: 7 },
          quality: { resolved: 3, total: 3, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
          ops: { done: 3, total: 3 },
        },
      },
    });
    const score = (Math.floor((body.data.report.score ?? 0) * 10) / 10).toFixed(1);
    expect(await outcome.textContent()).to.contain(score);
    expect(await page.getByRole('slider', { name: 'Issues done' }).getAttribute('aria-valuetext')).to.equal('6 of 7');
    expect(await gate.textContent()).to.equal(real);
    await page.getByRole('button', { name: 'One fewer: Checklist items ticked' }).click();
    await outcome.getByText('Hold', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await outcome.getByText('as now').waitFor();
    await close();
  });

  it('takes other demands, and says which of them cannot be', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByText('Try other thresholds').click();
    await page.getByLabel('Minimum ops').fill('30');
    await page.getByLabel('Minimum score').fill('20');
    const outcome = page.getByRole('region', { name: 'What if: result' });
    await outcome.getByText('Go', { exact: true }).waitFor();
    await page.getByLabel('Minimum score').fill('120');
    await page.getByText('The threshold must be 0 to 100', { exact: true }).waitFor();
    await expectAccessible('demands that cannot be');
    await close();
  });
});
