import { expect } from 'chai';
import { notFound } from '../../src/errors.js';
import { hostIssueOf } from '../repository/host-issue-of.js';
import { milestoneOf } from '../repository/host-records-of.js';
import { type ImportScene, importScene, issueNamed } from './import-scene.js';
import { DAY, HOUR } from './world.js';

const scene = async (count = 3): Promise<ImportScene> => {
  const here = await importScene({ deployments: false, testRuns: 'none' });
  here.model.milestones = [milestoneOf()];
  here.model.issues = Array.from({ length: count }, (_, n) =>
    hostIssueOf({ id: `I${n + 1}`, number: n, milestoneId: 'M1', updatedAt: 2_000 + n }),
  );
  await here.settle();
  here.model.requests.length = 0;
  return here;
};
/** Without any trace in a list. */
const vanishes = (here: ImportScene, ...ids: readonly string[]): void => {
  here.model.issues = here.model.issues.filter(({ id }) => !ids.includes(id));
};
const suspect = (here: ImportScene, ...suspectIssueIds: readonly string[]) =>
  here.stores.repositoryLinks.hurry({ host: 'github', repositoryId: 'R1', dueAt: here.time.now, suspectIssueIds });

describe('Looking for issues that are gone', () => {
  it('cancels those a notice names, which then leave their release', async () => {
    const here = await scene();
    here.time.now += HOUR;
    vanishes(here, 'I1');
    await suspect(here, 'I1', 'I2', 'I9');
    await here.settle();
    const gone = await issueNamed(here, 'I1');
    expect(gone).to.include({ state: 'canceled', releaseId: null, title: 'Pay by card', version: 2 });
    expect(here.events.get(gone?.id ?? '')?.at(-1)).to.include({ kind: 'removed', at: here.time.now });
    expect(await issueNamed(here, 'I2')).to.include({ state: 'todo', version: 1 });
    expect(here.model.requests.filter((name) => !name.endsWith('='))).to.deep.equal([
      'issues',
      'issuesById',
      'repository',
    ]);
    expect((await here.linked()).state.suspectIssueIds).to.deep.equal([]);
  });
  it('asks for nobody whom it does not know', async () => {
    const here = await scene();
    await suspect(here, 'I8', 'I9');
    await here.settle();
    expect(here.model.requests).to.deep.equal(['milestones=', 'issues=']);
  });
  it('looks for all of them once a day, 100 at a time', async () => {
    const here = await scene(150);
    here.time.now += DAY - 1;
    vanishes(here, 'I7', 'I140');
    await here.settle();
    expect(here.model.requests).not.to.include('issuesById');
    here.time.now += HOUR;
    here.model.requests.length = 0;
    await here.settle();
    expect(here.model.requests.filter((name) => name === 'issuesById')).to.have.length(2);
    for (const id of ['I7', 'I140'])
      expect(await issueNamed(here, id)).to.include({ state: 'canceled', releaseId: null });
    expect(await issueNamed(here, 'I8')).to.include({ state: 'todo' });
    expect((await here.linked()).state.goneCheckedAt).to.equal(here.time.now);
    here.time.now += HOUR;
    here.model.requests.length = 0;
    await here.settle();
    expect(here.model.requests).not.to.include('issuesById');
  });
  it('cancels nothing when the whole repository cannot be read', async () => {
    const here = await scene();
    here.time.now += DAY;
    here.model.meanwhile = async () => {
      if (here.model.requests.at(-1) === 'issuesById') here.model.failure = notFound('repository');
    };
    vanishes(here, 'I1', 'I2', 'I3');
    await here.settle();
    expect((await here.linked()).state.failure).to.include({ code: 'not-found', attempts: 1 });
    expect(await issueNamed(here, 'I1')).to.include({ state: 'todo' });
  });
  it('takes another repository of that name for none, and follows a renamed one', async () => {
    const here = await scene();
    here.time.now += DAY;
    const { repository } = here.model;
    here.model.repository = { ...repository, id: 'R2' };
    await here.settle();
    expect((await here.linked()).state.failure).to.include({ code: 'not-found' });
    here.model.repository = {
      ...repository,
      path: 'acme/store',
      url: 'https://host.example/acme/store',
      defaultBranch: 'trunk',
    };
    here.time.now += HOUR;
    await here.settle();
    const { link } = await here.linked();
    expect(link.repository).to.deep.equal({
      id: 'R1',
      path: 'acme/store',
      url: 'https://host.example/acme/store',
      defaultBranch: 'trunk',
    });
  });
  it('leaves alone who is gone already', async () => {
    const here = await scene();
    vanishes(here, 'I1', 'I2', 'I3');
    here.time.now += DAY;
    await here.settle();
    const written = here.written();
    here.model.requests.length = 0;
    here.time.now += DAY;
    await here.settle();
    expect(here.written()).to.equal(written);
    expect(here.model.requests).not.to.include('issuesById');
  });
  it('leaves alone issues that were added by hand or come from elsewhere', async () => {
    const here = await scene();
    const own = { ...((await issueNamed(here, 'I1')) ?? { id: '' }), id: here.newId(), externalId: 'gitlab:5' };
    if (!('title' in own)) throw new Error('There is no issue.');
    await here.stores.issues.create({ ...own, version: 1 }, []);
    here.time.now += DAY;
    await here.settle();
    expect(await here.stores.issues.byId(own.id)).to.include({ state: 'todo', version: 1 });
  });
});
