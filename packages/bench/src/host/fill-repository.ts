import type { GitHubServer, Milestone, Repository } from '@shipworthy/adapters/test-host';
import type { RepositoryFill } from './host-order.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** Over how many days a repository came about; nothing in it is younger than ten. */
const AGE = 300;
const QUIET = 10;
/** Milestones; the last two are closed already. */
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

export type World = GitHubServer['data'];

/** The commit of the number, as forty hexadecimal characters. */
export const commit = (number: number): string => number.toString(16).padStart(40, '5');

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
    // One of a dozen is in none.
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
