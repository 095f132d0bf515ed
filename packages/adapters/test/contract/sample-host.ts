import type { HostConnection, ImportState, LinkedRepository, RepositoryLink, Stores } from '@shipworthy/domain';
import type { PendingApproval } from '@shipworthy/domain/ports';
import { AWKWARD, FAR_FUTURE, NOON, sampleHash, sampleId, unique } from './sample-records.js';
import { storedProject, storedUser } from './sample-world.js';

export const sampleConnection = (userId: string, over: Partial<HostConnection> = {}): HostConnection => ({
  userId,
  host: unique('host'),
  account: { id: unique('account'), name: AWKWARD },
  grant: { sealed: sampleHash(), expiresAt: null },
  state: 'ok',
  pausedUntil: null,
  connectedAt: NOON,
  version: 1,
  ...over,
});

export const sampleApproval = (userId: string, over: Partial<PendingApproval> = {}): PendingApproval => ({
  stateHash: sampleHash(),
  sessionId: sampleId(),
  userId,
  host: unique('host'),
  sealedVerifier: AWKWARD,
  redirectUrl: 'https://ship.example.org/callback',
  expiresAt: FAR_FUTURE,
  ...over,
});

export const sampleLink = (over: Pick<RepositoryLink, 'projectId' | 'userId' | 'host'>): RepositoryLink => ({
  id: sampleId(),
  repository: {
    id: unique('repository'),
    path: 'acme/shop',
    url: 'https://host.example.org/acme/shop',
    defaultBranch: 'main',
  },
  settings: {
    filter: { labels: [AWKWARD], pathPrefix: 'packages/pay' },
    mapping: { bug: ['defect'], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
    milestones: [1, 2],
    deployments: true,
    testRuns: 'checks',
  },
  linkedAt: NOON,
  linkedBy: AWKWARD,
  ...over,
});

export const sampleState = (linkId: string, over: Partial<ImportState> = {}): ImportState => ({
  linkId,
  dueAt: NOON,
  checkpoint: { stage: null, page: null, reading: null, marks: {} },
  startedAt: null,
  completedAt: null,
  goneCheckedAt: null,
  suspectIssueIds: [],
  pendingReleaseIds: [],
  counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
  failure: null,
  ...over,
});

/** A connection of a new user to a host of its own, stored. */
export const storedConnection = async (stores: Stores, over: Partial<HostConnection> = {}): Promise<HostConnection> => {
  const connection = sampleConnection((await storedUser(stores)).id, over);
  await stores.hostConnections.put(connection);
  return connection;
};

/** A new project linked with that connection, stored. */
export const storedLink = async (
  stores: Stores,
  { userId, host }: Pick<HostConnection, 'userId' | 'host'>,
  over: Partial<ImportState> = {},
  repositoryId?: string,
): Promise<LinkedRepository> => {
  const { project } = await storedProject(stores);
  const link = sampleLink({ projectId: project.id, userId, host });
  const repository = { ...link.repository, id: repositoryId ?? link.repository.id };
  const linked = { link: { ...link, repository }, state: sampleState(link.id, over) };
  await stores.repositoryLinks.put(linked);
  return linked;
};
