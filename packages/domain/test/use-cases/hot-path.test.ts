import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { expect } from 'chai';
import { addDeploymentContribution, finishDeployment } from '../../src/use-cases/deployment.js';
import { readPortfolio } from '../../src/use-cases/portfolio.js';
import { createProject } from '../../src/use-cases/project.js';
import { addTestRunContribution } from '../../src/use-cases/test-run.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const nothingKept = () => ({ standings: new Map(), trends: new Map() });

const counting = (here: ReleaseScene) => {
  const { stores, calls } = counted(here.stores);
  const ports = { ...here, stores, reports: reportQueue(stores.reports), lookups: lookups(stores) };
  return { ports, calls };
};

describe('The queries of what pipelines and screens ask most', () => {
  it('a deployment costs one read and one write', async () => {
    const { ports, calls } = counting(await releaseScene());
    await deployed(ports);
    expect(calls).to.deep.equal(['projects.named', 'reports.record']);
  });
  it('a test run costs one read and one write', async () => {
    const { ports, calls } = counting(await releaseScene());
    await tested(ports);
    expect(calls).to.deep.equal(['testRuns.targets', 'reports.record']);
  });
  it('finishing costs two reads and one write', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here, { status: 'started' });
    const { ports, calls } = counting(here);
    const end = { deploymentId: deployment.id, status: 'success', durationSeconds: null } as const;
    await finishDeployment(ports, { principal: here.member.principal, needs: 'member', ...end });
    expect(calls).to.deep.equal(['deployments.byIds', 'projects.at', 'reports.record']);
  });
  it('a hundred deployments at once share them', async () => {
    const { ports, calls } = counting(await releaseScene());
    await Promise.all(Array.from({ length: 100 }, () => deployed(ports)));
    expect(calls.length).to.be.at.most(10);
  });
  it('a hundred records at once are weighed by one read of deployments, and three of test runs', async () => {
    const here = await releaseScene();
    const deployment = await deployed(here);
    const testRun = await tested(here);
    const { ports, calls } = counting(here);
    const hundred = Array.from({ length: 100 });
    await Promise.all(hundred.map(() => addDeploymentContribution(ports, deployment)));
    expect(calls.splice(0)).to.deep.equal(['facts.factsFor']);
    await Promise.all(hundred.map(() => addTestRunContribution(ports, testRun)));
    expect(calls).to.deep.equal(['facts.factsFor', 'testRuns.targets', 'testRuns.before']);
  });
  it('the portfolio costs the same for any number of projects', async () => {
    const here = await releaseScene();
    const { ports, calls } = counting(here);
    await readPortfolio(ports, nothingKept(), { principal: here.viewer.principal });
    const forOne = calls.splice(0);
    for (let count = 0; count < 20; count += 1)
      await createProject(here, { by: here.member, teamId: here.teamId, name: `Shop ${count}` });
    const { rows } = await readPortfolio(ports, nothingKept(), { principal: here.viewer.principal });
    expect(rows).to.have.length(21);
    expect(calls).to.deep.equal(forOne);
    expect(forOne).to.have.length(7);
  });
});
