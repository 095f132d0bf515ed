import { expect } from 'chai';
import { readDeployment } from '../../src/use-cases/read-deployment.js';
import { renameProject } from '../../src/use-cases/rename-project.js';
import { refused } from '../refusal.js';
import { deployed } from './reporting.js';
import { releaseScene } from './scene.js';

describe('Reading a deployment', () => {
  it('answers the record with its receipt and what it does to the score', async () => {
    const here = await releaseScene();
    await deployed(here, { status: 'success' });
    const { deployment } = await deployed(here, { status: 'failure' });
    const view = await readDeployment(here)({ principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.deployment).to.deep.equal(deployment);
    const [line] = view.attribution.releases;
    expect(line).to.include({ id: here.release.id, counts: true });
    // Ops 0, stability 50 with it and 100 without; nothing else is measured.
    expect(line?.contribution).to.deep.equal({ scoreWith: 25, scoreWithout: 50 });
  });
  it('has no contribution where it does not count', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here, { status: 'started' });
    const view = await readDeployment(here)({ principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.attribution.releases[0]).to.include({ reason: 'still_in_progress', contribution: null });
  });
  it('stays where it is after a rename, under the new name', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    await renameProject(here)({ by: here.owner, ...here.there, name: 'Store', version: null });
    const view = await readDeployment(here)({ principal: here.viewer.principal, deploymentId: deployment.id });
    expect(view.attribution.project).to.deep.equal({ id: here.project.id, name: 'Store' });
    expect([view.deployment.appName, view.attribution.releases.length]).to.deep.equal(['Shop', 1]);
  });
  it('finds nothing out of sight', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    const read = (deploymentId: string) => readDeployment(here)({ principal: here.stranger.principal, deploymentId });
    const hidden = await refused(read(deployment.id), 'not-found');
    expect(hidden.message).to.equal((await refused(read('none'), 'not-found')).message);
  });
});
