import type { Lookups, NameLookup, ProjectMoment, Stores, TargetLookup } from '@shipworthy/domain';
import { type GroupCommitOptions, groupCommit } from './group-commit.js';

/** The hot reads one at a time: those that arrive together share one query, and a second one may be under way meanwhile. */
export const lookups = (
  { projects, testRuns, deployments, facts }: Pick<Stores, 'projects' | 'testRuns' | 'deployments' | 'facts'>,
  options: GroupCommitOptions = { lanes: 2 },
): Lookups => ({
  namedProject: groupCommit((items: readonly NameLookup[]) => projects.named(items), options).submit,
  projectAt: groupCommit((items: readonly ProjectMoment[]) => projects.at(items), options).submit,
  testRunTarget: groupCommit((items: readonly TargetLookup[]) => testRuns.targets(items), options).submit,
  deployment: groupCommit((items: readonly string[]) => deployments.byIds(items), options).submit,
  revision: groupCommit((items: readonly string[]) => facts.revisions(items), options).submit,
  activeRevision: groupCommit((items: readonly string[]) => facts.activeRevisions(items), options).submit,
});
