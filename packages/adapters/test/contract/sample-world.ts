import type {
  Deployment,
  Issue,
  IssueEvent,
  Project,
  Release,
  ReleaseInputs,
  Stores,
  Team,
  TestRun,
  User,
} from '@shipworthy/domain';
import type { ReportOutcome } from '@shipworthy/domain/ports';
import type { Policy } from '@shipworthy/domain/readiness';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { sampleMembership, sampleTeam, sampleUser } from './sample-access.js';
import {
  HOUR,
  NOON,
  sampleDeployment,
  sampleIssue,
  sampleProject,
  sampleRelease,
  sampleTestRun,
} from './sample-records.js';

/** A project with its team and the team's owner, all stored. */
export interface World {
  readonly owner: User;
  readonly team: Team;
  readonly project: Project;
}

export const storedUser = async (stores: Stores, over: Partial<User> = {}): Promise<User> => {
  const user = sampleUser(over);
  await stores.users.create(user, 'hash');
  return user;
};

export const storedTeam = async (stores: Stores, over: Partial<Team> = {}): Promise<{ owner: User; team: Team }> => {
  const owner = await storedUser(stores);
  const team = sampleTeam(over);
  return { owner, team: await stores.teams.create(team, sampleMembership(team.id, owner.id)) };
};

export const storedProject = async (stores: Stores, over: Partial<Project> = {}): Promise<World> => {
  const { owner, team } = await storedTeam(stores);
  return { owner, team, project: await stores.projects.create(sampleProject(team.id, over)) };
};

export const storedRelease = async (
  stores: Stores,
  projectId: string,
  over: Partial<Release> = {},
): Promise<Release> => {
  const release = sampleRelease(projectId, over);
  await stores.releases.create(release, []);
  return release;
};

/** An active release whose window began an hour before noon, in a project and team of its own. */
export const storedActiveRelease = async (
  stores: Stores,
  over: Partial<Release> = {},
): Promise<World & { readonly release: Release }> => {
  const world = await storedProject(stores);
  const release = await storedRelease(stores, world.project.id, {
    state: 'active',
    startsAt: NOON - HOUR,
    ...over,
  });
  return { ...world, release };
};

export const storedIssue = async (
  stores: Stores,
  projectId: string,
  over: Partial<Issue> = {},
  events: readonly IssueEvent[] = [],
): Promise<Issue> => {
  const issue = sampleIssue(projectId, over);
  await stores.issues.create(issue, events);
  return issue;
};

/** Expects every outcome to be a created record. */
const expectCreated = (outcomes: readonly ReportOutcome[]): void => {
  expect(outcomes.map((outcome) => outcome.result)).to.deep.equal(outcomes.map(() => 'created'));
};

export const storedDeployments = async (
  stores: Stores,
  projectId: string,
  overs: readonly Partial<Deployment>[],
): Promise<readonly Deployment[]> => {
  const deployments = overs.map((over) => sampleDeployment(projectId, over));
  expectCreated(
    await stores.reports.record(deployments.map((deployment) => ({ kind: 'deployment', deployment, remember: null }))),
  );
  return deployments;
};

export const storedDeployment = async (
  stores: Stores,
  projectId: string,
  over: Partial<Deployment> = {},
): Promise<Deployment> => {
  const deployment = sampleDeployment(projectId, over);
  expectCreated(await stores.reports.record([{ kind: 'deployment', deployment, remember: null }]));
  return deployment;
};

export const storedTestRun = async (
  stores: Stores,
  release: Release,
  over: Partial<TestRun> = {},
): Promise<TestRun> => {
  const testRun = sampleTestRun(release, over);
  expectCreated(await stores.reports.record([{ kind: 'test_run', testRun, remember: null }]));
  return testRun;
};

/** Gives the project the next version of its policy. */
export const changePolicy = async (stores: Stores, projectId: string, over: Partial<Policy>): Promise<void> => {
  const current = await stores.policies.current(projectId);
  const version = (current?.version ?? 0) + 1;
  const policy = { ...DEFAULT_POLICY, ...current?.policy, ...over };
  expect(await stores.policies.add(projectId, { policy, version, changedAt: NOON, changedBy: 'Ada' })).to.equal(true);
};

export const inputsOf = async (stores: Stores, releaseId: string): Promise<ReleaseInputs> => {
  const [inputs] = await stores.facts.factsFor([releaseId]);
  if (inputs === undefined) throw new Error(`no inputs of release ${releaseId}`);
  return inputs;
};

export const revisionOf = async (stores: Stores, releaseId: string): Promise<number> => {
  const [revision] = await stores.facts.revisions([releaseId]);
  if (revision === undefined) throw new Error(`no revision of release ${releaseId}`);
  return revision.revision;
};

/** Does the work in a transaction that fails at its end, so that all of it is undone. */
export const undone = async (stores: Stores, work: (inside: Stores) => Promise<void>): Promise<void> => {
  const transaction = stores.transaction(async (inside) => {
    await work(inside);
    throw new Error('undo');
  });
  expect(await transaction.catch(String)).to.match(/undo/);
};
