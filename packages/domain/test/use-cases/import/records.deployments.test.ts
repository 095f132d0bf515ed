import { expect } from 'chai';
import { freshImport } from '../../../src/repository/import-state.js';
import { deploymentOf, statesOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene } from '../import-scene.js';
import { DAY, MINUTE } from '../world.js';

const scene = async (): Promise<ImportScene> => importScene({ milestones: 'none', testRuns: 'none' });
const kept = async ({ stores, project }: ImportScene) =>
  (await stores.deployments.page({ projectId: project.id }, { limit: 200, after: null })).rows;
const again = async (here: ImportScene): Promise<void> => {
  here.time.now += 5 * MINUTE;
  here.model.requests.length = 0;
  await here.settle();
};

describe('Importing deployments', () => {
  it('records each once, with the moments of the host', async () => {
    const here = await scene();
    const at = here.time.now - DAY;
    here.model.deployments = [
      deploymentOf({ createdAt: at, states: statesOf(['started', at + 10], ['failure', at + 900]) }),
      deploymentOf({ id: 'D2', createdAt: at, states: statesOf(['other', at + 1]) }),
    ];
    await here.settle();
    here.model.deployments = [...here.model.deployments];
    await again(here);
    const rows = await kept(here);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      appName: 'Shop',
      status: 'failure',
      startedAt: at + 10,
      finishedAt: at + 900,
      durationSeconds: null,
      external: { id: 'github:deployment:D1', fingerprint: `failure@${at + 900}` },
    });
    expect(await here.stores.deployments.recount()).to.deep.equal([]);
  });
  it('ends one that comes again ended, with the moment at which it did', async () => {
    const here = await scene();
    const at = here.time.now - DAY;
    here.model.deployments = [deploymentOf({ createdAt: at, states: statesOf(['started', at + 10]) })];
    await here.settle();
    expect((await kept(here)).map(({ status }) => status)).to.deep.equal(['started']);
    here.model.deployments = [
      deploymentOf({ createdAt: at, states: statesOf(['started', at + 10], ['success', at + 90]) }),
    ];
    await again(here);
    const rows = await kept(here);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ status: 'success', startedAt: at + 10, finishedAt: at + 90 });
    expect(await here.stores.deployments.recount()).to.deep.equal([]);
  });
  it('reads one again that had not begun, although the host calls nothing changed', async () => {
    const here = await scene();
    here.model.pageSize = 1;
    const at = here.time.now - DAY;
    const waiting = deploymentOf({ id: 'D1', createdAt: at, states: statesOf(['queued', at]) });
    const later = deploymentOf({ id: 'D2', createdAt: at + 50, states: statesOf(['success', at + 60]) });
    here.model.deployments = [waiting, later];
    await here.settle();
    expect((await kept(here)).map(({ startedAt }) => startedAt)).to.deep.equal([at + 50]);
    await again(here);
    expect(here.model.requests).to.deep.equal(['issues=', 'deployments', 'deployments']);
    here.model.deployments = [
      { ...waiting, states: statesOf(['queued', at], ['started', at + 70], ['success', at + 80]) },
      later,
    ];
    await again(here);
    expect((await kept(here)).map(({ startedAt }) => startedAt)).to.deep.equal([at + 70, at + 50]);
    await again(here);
    expect(here.model.requests).to.deep.equal(['issues=', 'deployments=']);
  });
  it('leaves out what began before the records that are kept, when the repository is linked again', async () => {
    const here = await scene();
    const today = Math.floor(here.time.now / DAY) * DAY;
    here.model.deployments = [today - 1, today].map((at, place) =>
      deploymentOf({ id: `D${place}`, createdAt: at, states: statesOf(['success', at]) }),
    );
    await here.settle();
    expect(await kept(here)).to.have.length(2);
    await here.stores.keptRecords.removeBefore(today, null);
    const { link } = await here.linked();
    await here.stores.repositoryLinks.put({ link, state: freshImport(link.id, here.time.now) });
    await again(here);
    expect(here.model.requests).to.include('deployments');
    expect((await kept(here)).map(({ startedAt }) => startedAt)).to.deep.equal([today]);
  });
  it('does not wait for ever for one that never begins', async () => {
    const here = await scene();
    here.model.deployments = [deploymentOf({ createdAt: here.time.now - 8 * DAY })];
    await here.settle();
    await again(here);
    expect(here.model.requests).to.deep.equal(['issues=', 'deployments=']);
  });
});

/** Lets the host's list of deployments say that nothing changed, as a list does that shows no new states. */
const hideChanges = ({ model: { answers } }: ImportScene): void => {
  const deployments = answers.deployments.bind(answers);
  answers.deployments = async (access, repository, request) => {
    const reading = await deployments(access, repository, request);
    return reading.unchanged ? reading : { unchanged: true, budget: null };
  };
};

describe('Following open deployments', () => {
  it('ends those that ended without the host telling', async () => {
    const here = await scene();
    const at = here.time.now - DAY;
    const open = deploymentOf({ createdAt: at, states: statesOf(['started', at + 10]) });
    here.model.deployments = [open];
    await here.settle();
    expect(here.model.requests).to.include('deploymentsById');
    Object.assign(open, { states: statesOf(['started', at + 10], ['failure', at + 500]) });
    hideChanges(here);
    await again(here);
    expect((await kept(here))[0]).to.include({ status: 'failure', finishedAt: at + 500 });
    await again(here);
    expect(here.model.requests).not.to.include('deploymentsById');
  });
  it('ends one that more than a hundred newer ones without an end precede', async () => {
    const here = await scene();
    const at = here.time.now - DAY;
    const oldest = deploymentOf({ createdAt: at, states: statesOf(['started', at]) });
    const endless = Array.from({ length: 120 }, (_, place) =>
      deploymentOf({ id: `N${place}`, createdAt: at + 1 + place, states: statesOf(['started', at + 1 + place]) }),
    );
    here.model.deployments = [oldest, ...endless];
    await here.settle();
    Object.assign(oldest, { states: statesOf(['started', at], ['failure', at + 500]) });
    hideChanges(here);
    await again(here);
    expect(here.model.requests.filter((name) => name === 'deploymentsById')).to.have.length(5);
    const rows = await kept(here);
    expect(rows.at(-1)).to.include({ status: 'failure', finishedAt: at + 500 });
    expect(rows.filter(({ status }) => status === 'started')).to.have.length(120);
  });
  it('leaves those alone that are older than a week', async () => {
    const here = await scene();
    const at = here.time.now - 8 * DAY;
    here.model.deployments = [deploymentOf({ createdAt: at, states: statesOf(['started', at + 10]) })];
    await here.settle();
    expect(here.model.requests).not.to.include('deploymentsById');
    expect((await kept(here)).map(({ status }) => status)).to.deep.equal(['started']);
  });
});
