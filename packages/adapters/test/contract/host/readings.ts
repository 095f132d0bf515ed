import type { HostAccess, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { HostStage } from './host-stage.js';
import { FIRST, fresh } from './whole-reading.js';

type Read = (access: HostAccess) => Promise<unknown>;

/** Every way of reading at a host, by name, each of which asks the host something. Makes a repository for them. */
export const readings = async (
  { host: { repositories, gives }, world }: HostStage,
  access: HostAccess,
  path: string,
): Promise<ReadonlyMap<string, Read>> => {
  const repository: RepositoryIdentity = world.repository({ path });
  world.issue(repository, { title: 'read', at: Date.UTC(2026, 0, 1) });
  const idOf = ([row]: readonly { readonly id: string }[]): string => row?.id ?? expect.fail('it is not there');
  const issueId = idOf(fresh(await repositories.issues(access, repository, FIRST)).rows);
  const named = new Map<string, Read>([
    ['account', (as) => repositories.account(as)],
    ['repositories', (as) => repositories.repositories(as, { text: null, limit: 10, page: null })],
    ['repository', (as) => repositories.repository(as, repository.path)],
    ['milestones', (as) => repositories.milestones(as, repository, FIRST)],
    ['issues', (as) => repositories.issues(as, repository, FIRST)],
    ['issuesById', (as) => repositories.issuesById(as, repository, [issueId])],
  ]);
  if (gives.deployments) {
    const seed = { environment: 'production', commitSha: 'a'.repeat(40), ref: 'main', at: Date.UTC(2026, 0, 1) };
    world.deployment(repository, seed);
    const deploymentId = idOf(fresh(await repositories.deployments(access, repository, FIRST)).rows);
    named.set('deployments', (as) => repositories.deployments(as, repository, FIRST));
    named.set('deploymentsById', (as) => repositories.deploymentsById(as, repository, [deploymentId]));
  }
  for (const source of gives.testRuns) {
    named.set(`testRuns ${source}`, (as) => repositories.testRuns(as, repository, source, FIRST));
  }
  return named;
};
