import { expect } from 'chai';
import { notFound } from '../../../src/errors.js';
import type { HostIssue } from '../../../src/repository/host.js';
import { cancelRelease } from '../../../src/use-cases/release.js';
import { hostIssueOf } from '../../repository/host-issue-of.js';
import { milestoneOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene, issueNamed, PAGE, releaseOfMilestone } from '../import-scene.js';
import { DAY, HOUR, MINUTE } from '../world.js';

const twoMilestones = async (...args: Parameters<typeof importScene>): Promise<ImportScene> => {
  const here = await importScene(...args);
  here.model.milestones = [milestoneOf(), milestoneOf({ id: 'M2', number: 4, title: '2.0' })];
  return here;
};
const becomes = async (here: ImportScene, over: Partial<HostIssue>): Promise<void> => {
  here.time.now += 5 * MINUTE;
  const [first, ...others] = here.model.issues;
  if (first === undefined) throw new Error('There is no issue.');
  here.model.issues = [{ ...first, updatedAt: first.updatedAt + 1_000, ...over }, ...others];
  await here.settle();
};
const told = async (here: ImportScene, id = 'I1') =>
  (here.events.get((await issueNamed(here, id))?.id ?? '') ?? []).map(({ at, kind, type }) => `${at} ${kind} ${type}`);

describe('Importing issues', () => {
  it('makes issues of them, with the moments of the host', async () => {
    const here = await twoMilestones();
    here.model.issues = [
      hostIssueOf({
        milestoneId: 'M1',
        labels: ['bug', 'major'],
        state: 'closed',
        closedAs: 'completed',
        closedAt: 1_700,
      }),
    ];
    await here.settle();
    const release = await releaseOfMilestone(here, 'M1');
    expect(await issueNamed(here, 'I1')).to.deep.include({
      projectId: here.project.id,
      releaseId: release?.id,
      title: 'Pay by card',
      type: 'bug',
      state: 'done',
      severity: 'major',
      url: 'https://host.example/acme/shop/issues/12',
      externalId: 'github:I1',
      version: 1,
      createdAt: 1_000,
      updatedAt: here.time.now,
    });
    expect(await told(here)).to.deep.equal(['1000 added bug', '1700 done bug']);
    const [inputs] = await here.stores.facts.factsFor([release?.id ?? '']);
    expect(inputs?.facts).to.deep.include({ scope: { done: 1, total: 1 } });
  });
  it('takes those that belong to the project only', async () => {
    const here = await twoMilestones({ filter: { labels: ['shop'], pathPrefix: null } });
    here.model.issues = [hostIssueOf({ labels: ['Shop'] }), hostIssueOf({ id: 'I2' })];
    await here.settle();
    expect(await issueNamed(here, 'I1')).to.include({ title: 'Pay by card' });
    expect(await issueNamed(here, 'I2')).to.equal(undefined);
  });
  it('follows what changes, and takes away what does not belong any more', async () => {
    const here = await twoMilestones({ filter: { labels: ['shop'], pathPrefix: null } });
    here.model.issues = [hostIssueOf({ labels: ['shop'], milestoneId: 'M1' })];
    await here.settle();
    await becomes(here, { milestoneId: 'M2', title: 'Pay by phone' });
    const second = await releaseOfMilestone(here, 'M2');
    expect(await issueNamed(here, 'I1')).to.include({ releaseId: second?.id, title: 'Pay by phone', version: 2 });
    await becomes(here, { labels: ['search'] });
    expect(await issueNamed(here, 'I1')).to.include({ releaseId: null, version: 3 });
    await becomes(here, { labels: ['shop'], milestoneId: 'M9' });
    expect(await issueNamed(here, 'I1')).to.include({ releaseId: null, version: 3 });
    const joined = here.time.now + 5 * MINUTE;
    await becomes(here, { labels: ['shop', 'bug'], milestoneId: 'M1' });
    expect(await issueNamed(here, 'I1')).to.include({ type: 'bug', version: 4 });
    expect((await told(here)).slice(-1)).to.deep.equal([`${joined} added bug`]);
  });
  it('tells reopening and canceling', async () => {
    const here = await twoMilestones();
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' })];
    await here.settle();
    await becomes(here, { state: 'closed', closedAs: 'not_planned' });
    expect(await issueNamed(here, 'I1')).to.include({ state: 'canceled' });
    await becomes(here, { state: 'open', closedAs: null });
    expect(await issueNamed(here, 'I1')).to.include({ state: 'todo' });
    expect((await told(here)).map((each) => each.split(' ')[1])).to.deep.equal(['added', 'canceled', 'reopened']);
  });
  it('keeps the whole history of the host in place of what it kept', async () => {
    const here = await twoMilestones();
    here.model.issues = [
      hostIssueOf({ milestoneId: 'M1', history: [{ kind: 'milestoned', milestone: '1.0', at: 1_100 }] }),
    ];
    await here.settle();
    expect(await told(here)).to.deep.equal(['1100 added task']);
    const history: HostIssue['history'] = [
      { kind: 'milestoned', milestone: '1.0', at: 1_100 },
      { kind: 'closed', as: 'completed', at: 2_500 },
    ];
    await becomes(here, { history, state: 'closed', closedAs: 'completed', labels: ['bug'] });
    expect(await told(here)).to.deep.equal(['1100 added bug', '2500 done bug']);
  });
  it('writes nothing for a change that does not matter here', async () => {
    const here = await twoMilestones();
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' })];
    await here.settle();
    const written = here.written();
    await becomes(here, { labels: ['docs'] });
    expect(here.written()).to.equal(written);
    expect(await issueNamed(here, 'I1')).to.include({ version: 1 });
  });
  it('never changes what belongs to a closed release, only what it says', async () => {
    const here = await twoMilestones();
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' }), hostIssueOf({ id: 'I2', milestoneId: null })];
    await here.settle();
    const { id: releaseId } = (await releaseOfMilestone(here, 'M1')) ?? { id: '' };
    await cancelRelease(here, { by: here.member, ...here.there, releaseId });
    await becomes(here, { milestoneId: 'M2', title: 'Pay by phone', state: 'closed', closedAs: 'completed' });
    expect(await issueNamed(here, 'I1')).to.include({ releaseId, title: 'Pay by phone', state: 'done' });
    here.model.issues = here.model.issues.reverse();
    await becomes(here, { milestoneId: 'M1', title: 'Late', updatedAt: 9_000 });
    expect(await issueNamed(here, 'I2')).to.include({ releaseId: null, title: 'Late' });
  });
  it('reads an issue that comes twice once, as it was last', async () => {
    const here = await twoMilestones();
    here.model.issues = [hostIssueOf({ title: 'Old' }), hostIssueOf({ title: 'New' })];
    await here.settle();
    expect(await issueNamed(here, 'I1')).to.include({ title: 'New', version: 1 });
  });
});

const knownIssues = async (count = 3): Promise<ImportScene> => {
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
const suspect = async (here: ImportScene, ...suspectIssueIds: readonly string[]) => {
  const linked = await here.stores.repositoryLinks.ofProject(here.project.id);
  await here.stores.repositoryLinks.hurryLink(linked?.link.id ?? '', here.time.now, suspectIssueIds);
};

describe('Looking for issues that are gone', () => {
  it('cancels those a notice names, which then leave their release', async () => {
    const here = await knownIssues();
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
  it('asks for no issue that it does not know', async () => {
    const here = await knownIssues();
    await suspect(here, 'I8', 'I9');
    await here.settle();
    expect(here.model.requests).to.deep.equal(['milestones=', 'issues=']);
  });
  it('looks for all of them once a day, 100 at a time', async () => {
    const here = await knownIssues(150);
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
  it('waits when little of the budget is left', async () => {
    const here = await knownIssues(150);
    here.time.now += DAY;
    const resetAt = here.time.now + HOUR;
    here.model.beforeAnswer = async () => {
      if (here.model.requests.at(-1) === 'issues=') here.model.budget = { limit: 5_000, remaining: 499, resetAt };
    };
    await here.settle();
    expect(here.model.requests.filter((name) => name === 'issuesById')).to.have.length(1);
    here.model.beforeAnswer = async () => undefined;
    here.model.budget = null;
    here.time.now = resetAt;
    await here.settle();
    expect(here.model.requests.filter((name) => name === 'issuesById')).to.have.length(2);
  });
  it('asks all questions about a page within one deadline, which is shorter than the claim', async () => {
    const here = await knownIssues();
    here.time.now += DAY;
    const asked: number[] = [];
    const { answers } = here.model;
    const { issuesById, repository } = answers;
    const begunAt = here.time.now;
    answers.issuesById = (access, ...rest) => {
      asked.push(access.deadline - begunAt);
      here.time.now += PAGE - 1;
      return issuesById(access, ...rest);
    };
    answers.repository = (access, ...rest) => {
      asked.push(access.deadline - begunAt);
      return repository(access, ...rest);
    };
    await here.settle();
    expect(asked).to.deep.equal([PAGE, PAGE]);
  });
  it('cancels nothing when the whole repository cannot be read', async () => {
    const here = await knownIssues();
    here.time.now += DAY;
    here.model.beforeAnswer = async () => {
      if (here.model.requests.at(-1) === 'issuesById') here.model.failure = notFound('repository');
    };
    vanishes(here, 'I1', 'I2', 'I3');
    await here.settle();
    expect((await here.linked()).state.failure).to.include({ code: 'not-found', attempts: 1 });
    expect(await issueNamed(here, 'I1')).to.include({ state: 'todo' });
  });
  it('takes another repository of that name for none, and follows a renamed one', async () => {
    const here = await knownIssues();
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
    const here = await knownIssues();
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
    const here = await knownIssues();
    const own = { ...((await issueNamed(here, 'I1')) ?? { id: '' }), id: here.newId(), externalId: 'gitlab:5' };
    if (!('title' in own)) throw new Error('There is no issue.');
    await here.stores.issues.create({ ...own, version: 1 }, []);
    here.time.now += DAY;
    await here.settle();
    expect(await here.stores.issues.byId(own.id)).to.include({ state: 'todo', version: 1 });
  });
});
