import type { Deployment, GitHubServer, Issue, Milestone, Repository } from '@shipworthy/adapters/test-host';
import type { RepositoryFill } from './host-order.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** The age of a repository in days; nothing in it is younger than QUIET days. */
const AGE = 300;
const QUIET = 10;
/** How many milestones there are; the last CLOSED ones are closed already. */
const MILESTONES = 12;
const CLOSED = 2;

const LABELS: readonly (readonly string[])[] = [
  ['enhancement', 'area: checkout'],
  ['bug', 'severity: minor', 'area: ledger'],
  ['enhancement'],
  ['bug', 'severity: major'],
  ['chore'],
  ['bug', 'severity: critical', 'area: checkout'],
  ['enhancement', 'in progress'],
];

type World = GitHubServer['data'];

/** The commit of the number, as forty hexadecimal characters. */
const commit = (number: number): string => number.toString(16).padStart(40, '5');

const addMilestones = (data: World, repository: Repository, now: number): readonly Milestone[] =>
  Array.from({ length: MILESTONES }, (_, index) =>
    data.addMilestone(repository, {
      title: `${1 + index}.0`,
      dueOn: now + (30 + index) * DAY,
      state: index < MILESTONES - CLOSED ? 'open' : 'closed',
      at: now - AGE * DAY,
    }),
  );

const addIssue = (
  data: World,
  repository: Repository,
  milestones: readonly Milestone[],
  index: number,
  at: number,
): void => {
  const home = index % MILESTONES;
  const milestone = milestones[home];
  const labels = LABELS[index % LABELS.length] ?? [];
  const issue = data.addIssue(repository, {
    title: `Payment ${index} is settled twice when its batch is cut off`,
    labels,
    // One issue in 13 has no milestone.
    ...(milestone === undefined || index % 13 === 0 ? {} : { milestone }),
    at,
  });
  const next = milestones[(home + 1) % MILESTONES];
  if (index % 10 === 7 && next !== undefined) data.editIssue(issue, { milestone: next, at: at + DAY });
  if (index % 10 === 3) data.editIssue(issue, { state: 'not_planned', at: at + 2 * DAY });
  else if (index % 2 === 0) data.editIssue(issue, { state: 'completed', at: at + 3 * DAY });
  if (index % 40 === 0) data.editIssue(issue, { state: 'open', at: at + 4 * DAY });
};

const addDeployment = (data: World, repository: Repository, index: number, at: number): void => {
  const environment = index % 3 === 0 ? 'staging' : 'production';
  const deployment = data.addDeployment(repository, { sha: commit(index), environment, at });
  if (index % 2 === 0) data.addStatus(deployment, 'queued', { at });
  data.addStatus(deployment, 'in_progress', { at: at + MINUTE });
  data.addStatus(deployment, index % 20 === 0 ? 'failure' : 'success', { at: at + 6 * MINUTE });
};

/**
 * Fills a repository with issues and deployments, oldest first. A tenth of the issues is closed as not planned, a tenth was
 * moved to another milestone, some were reopened; each has labels. A deployment has two or three statuses and has ended.
 * @param now milliseconds since 1970
 */
export const fillRepository = (data: World, { path, issues, deployments }: RepositoryFill, now: number): Repository => {
  const repository = data.addRepository(path, { at: now - AGE * DAY });
  const milestones = addMilestones(data, repository, now);
  const moment = (index: number, of: number): number => now - AGE * DAY + (index * (AGE - QUIET) * DAY) / of;
  for (let index = 0; index < issues; index += 1) addIssue(data, repository, milestones, index, moment(index, issues));
  for (let index = 0; index < deployments; index += 1)
    addDeployment(data, repository, index, moment(index, deployments));
  return repository;
};

/** Begins deployments now, each with its first status. */
export const beginDeployments = (data: World, repository: Repository, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    const sha = commit(repository.deployments.length);
    data.addStatus(data.addDeployment(repository, { sha, environment: 'production' }), 'in_progress');
  }
};

const hasEnded = ({ statuses }: Deployment): boolean => statuses.at(-1)?.state !== 'in_progress';

/** Ends all deployments that have begun; returns how many. */
export const endDeployments = (data: World, repository: Repository): number => {
  const open = repository.deployments.filter((deployment) => !hasEnded(deployment));
  for (const deployment of open) data.addStatus(deployment, 'success');
  return open.length;
};

const changeIssue = (data: World, issue: Issue, index: number): void => {
  const others = issue.repository.milestones.filter((one) => one.state === 'open' && one !== issue.milestone);
  if (index % 3 === 0) data.editIssue(issue, { milestone: others[index % others.length] ?? null });
  else if (index % 3 === 1) data.editIssue(issue, { title: `${issue.title}, again` });
  else data.editIssue(issue, { state: issue.state === 'open' ? 'completed' : 'open' });
};

/** Changes that many issues, spread over all of them: moves a third, renames a third, closes or reopens a third. */
export const changeIssues = (data: World, repository: Repository, count: number): void => {
  const { issues } = repository;
  const chosen = Array.from({ length: Math.min(count, issues.length) }, (_, index) =>
    issues.at(Math.floor((index * issues.length) / count)),
  );
  for (const [index, issue] of chosen.entries()) if (issue !== undefined) changeIssue(data, issue, index);
};

/** How many issues of a milestone are done, and of how many; those not planned are left out. */
interface MilestoneCount {
  readonly title: string;
  readonly done: number;
  readonly total: number;
}

/** The contents of a repository, counted row by row. */
export interface WorldCount {
  readonly issues: number;
  readonly deployments: number;
  /** The counts of the open milestones, by title. */
  readonly milestones: readonly MilestoneCount[];
}

const isPlanned = ({ stateReason }: Issue): boolean => stateReason !== 'not_planned';

const countIn = (issues: readonly Issue[]): Pick<MilestoneCount, 'done' | 'total'> => {
  const planned = issues.filter(isPlanned);
  return { done: planned.filter(({ state }) => state === 'closed').length, total: planned.length };
};

/** Counts what is in the repository, from the host's own records. */
export const countWorld = ({ issues, deployments, milestones }: Repository): WorldCount => ({
  issues: issues.length,
  deployments: deployments.length,
  milestones: milestones
    .filter(({ state }) => state === 'open')
    .map((milestone) => ({
      title: milestone.title,
      ...countIn(issues.filter((issue) => issue.milestone === milestone)),
    }))
    .sort((a, b) => (a.title < b.title ? -1 : 1)),
});

/** The repository of that path. @throws Error when there is none */
export const repositoryOf = ({ data }: Pick<GitHubServer, 'data'>, path: string): Repository => {
  const found = data.repositoryAt(path);
  if (found === undefined) throw new Error(`There is no repository ${path} at the host.`);
  return found.repository;
};
