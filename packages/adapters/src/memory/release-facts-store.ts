import type {
  ActiveRevision,
  CountingRules,
  Release,
  ReleaseDossier,
  ReleaseFacts,
  ReleaseFactsStore,
  ReleaseRevision,
} from '@shipworthy/domain';
import { ascending } from './order.js';
import { currentPolicy } from './policy-store.js';
import { issueFacts, issueKnowledge, opsFacts, stabilityFacts, verificationFacts } from './release-facts.js';
import { sourcesOf } from './source-facts.js';
import type { TableAccess } from './table-access.js';
import type { Tables } from './tables.js';

const revisionOf = (tables: Tables, releaseId: string): ReleaseRevision | undefined => {
  const change = tables.changes.get(releaseId);
  return change === undefined ? undefined : { revision: change.revision, changedAt: change.changedAt };
};

const activeRevisionOf = (tables: Tables, projectId: string): ActiveRevision | undefined => {
  const active = tables.releases.where('project', projectId).find(({ state }) => state === 'active');
  const revision = active && revisionOf(tables, active.id);
  return active && revision && { releaseId: active.id, ...revision };
};

const factsOf = (tables: Tables, release: Release, rules: CountingRules): ReleaseFacts => ({
  ...issueFacts(tables, release.id),
  ops: opsFacts(tables, release),
  ...verificationFacts(tables, release.id, rules.verification),
  stability: stabilityFacts(tables, release, rules.environments),
  ...issueKnowledge(tables, release),
  ...sourcesOf(tables, release),
});

const dossierOf = (tables: Tables, releaseId: string): ReleaseDossier | undefined => {
  const release = tables.releases.get(releaseId);
  const project = release === undefined ? undefined : tables.projects.get(release.projectId);
  const policy = release === undefined ? undefined : currentPolicy(tables, release.projectId);
  const revision = revisionOf(tables, releaseId);
  if (release === undefined || project === undefined || policy === undefined || revision === undefined)
    return undefined;
  const waivers = tables.waivers.where('release', releaseId).filter(({ withdrawnAt }) => withdrawnAt === null);
  return {
    release,
    project: { id: project.id, teamId: project.teamId, name: project.name },
    facts: factsOf(tables, release, policy.policy),
    policy,
    waivers: ascending(waivers, ({ createdAt, id }) => [createdAt, id]),
    revision,
  };
};

export const releaseFactsStore = ({ read }: TableAccess): ReleaseFactsStore => ({
  factsFor: (releaseIds) => read((tables) => releaseIds.map((id) => dossierOf(tables, id))),
  factsUnder: (releaseIds, rules) =>
    read((tables) =>
      releaseIds.map((id) => {
        const release = tables.releases.get(id);
        return release && factsOf(tables, release, rules);
      }),
    ),
  revisions: (releaseIds) => read((tables) => releaseIds.map((id) => revisionOf(tables, id))),
  activeRevisions: (projectIds) => read((tables) => projectIds.map((id) => activeRevisionOf(tables, id))),
});
