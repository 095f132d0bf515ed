import type { HostDeployment, HostDeploymentState, HostMilestone, HostTestRun } from '../../src/repository/host.js';

/** The open milestone 1.0. */
export const milestoneOf = (over: Partial<HostMilestone> = {}): HostMilestone => ({
  id: 'M1',
  number: 3,
  title: '1.0',
  state: 'open',
  dueAt: 5_000,
  url: 'https://host.example/acme/shop/milestone/3',
  ...over,
});

/** A deployment that has not begun. */
export const deploymentOf = (over: Partial<HostDeployment> = {}): HostDeployment => ({
  id: 'D1',
  environment: 'production',
  commitSha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  ref: 'v1.0',
  deployedBy: 'octocat',
  url: 'https://ci.example/1',
  createdAt: 1_000,
  states: [],
  ...over,
});

/** The states of a deployment with their moments. */
export const statesOf = (...each: readonly (readonly [HostDeploymentState, number])[]): HostDeployment['states'] =>
  each.map(([state, at]) => ({ state, at }));

/** Ten checks, two of which failed. */
export const testRunOf = (over: Partial<HostTestRun> = {}): HostTestRun => ({
  id: 'T1',
  suite: 'ci',
  passed: 8,
  failed: 2,
  skipped: 3,
  commitSha: 'abcdef1',
  url: 'https://ci.example/1',
  ranAt: 1_000,
  ...over,
});
