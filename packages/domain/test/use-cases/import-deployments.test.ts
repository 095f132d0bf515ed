import { expect } from 'chai';
import type { DeploymentReport } from '../../src/report/deployment-report.js';
import type { ImportOutcome } from '../../src/report/import-outcome.js';
import { importDeployments } from '../../src/use-cases/import-deployments.js';
import { deploymentReport } from '../report/report-of.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const bring = (here: ReleaseScene, records: readonly Partial<DeploymentReport>[], by = here.member) =>
  importDeployments(here)({ principal: by.principal, records: records.map(deploymentReport) });
const told = (outcomes: readonly ImportOutcome[]) =>
  outcomes.map((outcome) => (outcome.result === 'refused' ? outcome.refusal.code : outcome.result));

describe('Importing deployments', () => {
  it('stores the good ones although others are refused, outcomes in input order', async () => {
    const here = await releaseScene();
    const outcomes = await bring(here, [
      { startedAt: 5, finishedAt: 9 },
      { appName: 'Shp' },
      { startedAt: 9, finishedAt: 5 },
      { projectId: 'p9' },
      {},
    ]);
    expect(told(outcomes)).to.deep.equal(['created', 'unknown-app-name', 'invalid', 'invalid', 'created']);
    const { rows } = await here.stores.deployments.page({ projectId: here.project.id }, { limit: 9, after: null });
    const ids = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    expect(rows.map((row) => row.id).sort()).to.deep.equal(ids.sort());
    expect(await here.stores.deployments.recount()).to.deep.equal([]);
  });
  it('tells a repeat from a contradiction by external id, also within one import', async () => {
    const here = await releaseScene();
    const same = { external: { id: 'e1', fingerprint: 'x' } };
    const outcomes = await bring(here, [same, same, { external: { id: 'e1', fingerprint: 'y' } }]);
    expect(told(outcomes)).to.deep.equal(['created', 'duplicate', 'external-id-conflict']);
    const [again] = await bring(here, [same]);
    expect(again).to.deep.equal({ result: 'duplicate', id: outcomes[0]?.result === 'created' && outcomes[0].id });
  });
  it('refuses what the role or sight forbids, one by one', async () => {
    const here = await releaseScene();
    expect(told(await bring(here, [{}], here.viewer))).to.deep.equal(['forbidden']);
    expect(told(await bring(here, [{}], here.stranger))).to.deep.equal(['unknown-app-name']);
  });
  it('answers nothing for nothing', async () => {
    expect(await bring(await releaseScene(), [])).to.deep.equal([]);
  });
});
