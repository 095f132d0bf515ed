import type { HostAccess, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { HostStage } from './host-stage.js';
import { FIRST, fresh } from './whole-reading.js';

type Read = (access: HostAccess) => Promise<unknown>;

/** Every way of reading at a host, by name, each of which asks the host something. Makes a repository for them. */
export const readings = async (
  { host: { reader, gives }, world }: HostStage,
  access: HostAccess,
  path: string,
): Promise<ReadonlyMap<string, Read>> => {
  const repository: RepositoryIdentity = world.repository({ path });
  world.issue(repository, { title: 'read', at: Date.UTC(2026, 0, 1) });
  const idOf = ([row]: readonly { readonly id: string }[]): string => row?.id ?? expect.fail('it is not there');
  const issueId = idOf(fresh(await reader.issues(access, repository, FIRST)).rows);
  const named = new Map<string, Read>([
    ['account', (as) => reader.account(as)],
    ['repositories', (as) => reader.repositories(as, { text: null, limit: 10, page: null })],
    ['repository', (as) => reader.repository(as, repository.path)],
    ['milestones', (as) => reader.milestones(as, repository, FIRST)],
    ['issues', (as) => reader.issues(as, repository, FIRST)],
    ['issuesById', (as) => reader.issuesById(as, repository, [issueId])],
  ]);
  if (gives.deployments) {
    const seed = { environment: 'production', commitSha: 'a'.repeat(40), ref: 'main', at: Date.UTC(2026, 0, 1) };
    world.deployment(repository, seed);
    const deploymentId = idOf(fresh(await reader.deployments(access, repository, FIRST)).rows);
    named.set('deployments', (as) => reader.deployments(as, repository, FIRST));
    named.set('deploymentsById', (as) => reader.deploymentsById(as, repository, [deploymentId]));
  }
  for (const source of gives.testRuns) {
    named.set(`testRuns ${source}`, (as) => reader.testRuns(as, repository, source, FIRST));
  }
  return named;
};
