import type { GitHubServer, Issue, Repository } from '@shipworthy/adapters/test-host';

/** How far a milestone's issues are; those not planned count nowhere. */
export interface MilestoneCount {
  readonly title: string;
  readonly done: number;
  readonly total: number;
}

/** What is in a repository, counted row by row. */
export interface WorldCount {
  readonly issues: number;
  readonly deployments: number;
  /** Of the open milestones, by title. */
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
