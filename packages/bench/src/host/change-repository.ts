import type { Deployment, Issue, Repository } from '@shipworthy/adapters/test-host';
import { commit, type World } from './fill-repository.js';

/** Begins deployments now, each with its first status. */
export const beginDeployments = (data: World, repository: Repository, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    const sha = commit(repository.deployments.length);
    data.addStatus(data.addDeployment(repository, { sha, environment: 'production' }), 'in_progress');
  }
};

const hasEnded = ({ statuses }: Deployment): boolean => statuses.at(-1)?.state !== 'in_progress';

/** Ends all deployments that have begun; returns how many. */
export const finishDeployments = (data: World, repository: Repository): number => {
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
