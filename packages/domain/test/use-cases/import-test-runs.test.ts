import { expect } from 'chai';
import type { TestRunReport } from '../../src/report/test-run-report.js';
import { importTestRuns } from '../../src/use-cases/import-test-runs.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { refused } from '../refusal.js';
import { testRunReport } from '../report/report-of.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';

const bring = (here: ReleaseScene, records: readonly Partial<TestRunReport>[], by = here.member) =>
  importTestRuns(here)({ principal: by.principal, ...here.there, records: records.map(testRunReport) });
const told = async (...given: Parameters<typeof bring>) =>
  (await bring(...given)).map((outcome) => (outcome.result === 'refused' ? outcome.refusal.code : outcome.result));

describe('Importing test runs', () => {
  it('stores the good ones although others are refused, outcomes in input order', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    const records = [{ ranAt: 5 }, { total: 0 }, { releaseId }, { releaseId: 'r9' }];
    expect(await told(here, records)).to.deep.equal(['created', 'invalid', 'created', 'invalid']);
    const { rows } = await here.stores.testRuns.page({ projectId: here.project.id }, { limit: 9, after: null });
    expect(rows.map((row) => row.releaseId).sort()).to.deep.equal([here.release.id, releaseId].sort());
  });
  it('tells a repeat from a contradiction by external id', async () => {
    const here = await releaseScene();
    const same = { external: { id: 'e1', fingerprint: 'x' } };
    const other = { external: { id: 'e1', fingerprint: 'y' } };
    expect(await told(here, [same, same, other])).to.deep.equal(['created', 'duplicate', 'external-id-conflict']);
  });
  it('refuses runs of a closed release', async () => {
    const here = await releaseScene();
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    expect(await told(here, [{ releaseId: here.release.id }, {}])).to.deep.equal([
      'release-closed',
      'no-active-release',
    ]);
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(bring(here, [{}], here.viewer), 'forbidden');
    await refused(bring(here, [{}], here.stranger), 'not-found');
  });
});
