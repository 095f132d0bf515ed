import { DomainError, type Project, policyMove, projectMove } from '@shipworthy/domain';
import type { BadgeStore, EventSourceStore, PolicyStore, ProjectAt, ProjectStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY, type PolicyVersion } from '@shipworthy/domain/readiness';
import { markProject, windowsAt } from './change-log.js';
import { ascending, greatest, numbered, pageDown } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

export const projectStore = ({ read, change }: TableAccess): ProjectStore => ({
  create: (project) =>
    change((tables) => {
      refuseTakenName(tables, project);
      const { id: projectId, createdAt: changedAt } = project;
      const slugs = new Set(tables.projects.where('team', project.teamId).map(({ slug }) => slug));
      const stored = { ...project, slug: numbered(project.slug, (candidate) => slugs.has(candidate)) };
      tables.projects.put(projectId, stored);
      const first = { projectId, policy: DEFAULT_POLICY, version: 1, changedAt, changedBy: null };
      tables.policies.put(keyOf(projectId, 1), first);
      return stored;
    }),
  byId: (projectId) => read(({ projects }) => projects.get(projectId)),
  ofTeams: (teamIds) =>
    read(({ projects }) => {
      const found = [...new Set(teamIds)].flatMap((teamId) => projects.where('team', teamId));
      return ascending(found, ({ name, id }) => [name, id]);
    }),
  replace: (next, changedAt) =>
    change((tables) => {
      const before = tables.projects.get(next.id);
      if (before?.version !== next.version - 1) return false;
      refuseTakenName(tables, next);
      tables.projects.put(next.id, next);
      tables.formerNames.put(keyOf(next.id, before.name), { projectId: next.id, name: before.name });
      markProject(tables, next.id, projectMove(next.id, changedAt));
      return true;
    }),
  // Transactions run one at a time, so being in one locks everything already.
  lock: () => read(() => undefined),
  named: (lookups) =>
    read((tables) =>
      lookups.map(({ name, at }) =>
        ascending(tables.projects.where('name', name), ({ id }) => [id]).map((found) => projectAt(tables, found, at)),
      ),
    ),
  at: (moments) =>
    read((tables) =>
      moments.map(({ projectId, at }) => {
        const project = tables.projects.get(projectId);
        return project === undefined ? undefined : projectAt(tables, project, at);
      }),
    ),
  names: (teamIds) => read((tables) => namesIn(tables, teamIds)),
  countNames: (userId) =>
    read((tables) => {
      const teams = tables.memberships.where('user', userId).map(({ teamId }) => teamId);
      return namesIn(tables, teams).length;
    }),
});

const namesIn = ({ projects, formerNames }: Tables, teamIds: readonly string[]) =>
  [...new Set(teamIds)]
    .flatMap((teamId) => projects.where('team', teamId))
    .flatMap(({ id: projectId, name: currentName }) => {
      const former = formerNames.where('project', projectId).map(({ name }) => name);
      return [...new Set([currentName, ...former])].map((name) => ({ projectId, name, currentName }));
    });

export const badgeStore = ({ read, change }: TableAccess): BadgeStore => ({
  put: (optIn) => change(({ badges }) => badges.put(optIn.projectId, optIn)),
  ofProject: (projectId) => read(({ badges }) => badges.get(projectId)),
  remove: (projectId) => change(({ badges }) => badges.remove(projectId)),
});

export const policyStore = ({ read, change }: TableAccess): PolicyStore => ({
  current: (projectId) => read((tables) => currentPolicy(tables, projectId)),
  versions: (projectId, page) =>
    read(({ policies }) => {
      const { rows, next } = pageDown(policies.where('project', projectId), ({ version }) => [version], page);
      return { rows: rows.map(versionOf), next };
    }),
  add: (projectId, next) =>
    change((tables) => {
      const before = currentPolicy(tables, projectId);
      if (before?.version !== next.version - 1) return false;
      tables.policies.put(keyOf(projectId, next.version), { ...next, projectId });
      markProject(tables, projectId, policyMove(projectId, before.policy, next));
      return true;
    }),
});

export const eventSourceStore = ({ read, change }: TableAccess): EventSourceStore => ({
  ofProject: (projectId) =>
    read(({ eventSources }) =>
      ascending(eventSources.where('project', projectId), ({ place }) => [place]).map(({ source }) => source),
    ),
  replace: ({ id: projectId, teamId }, sources) =>
    change((tables) => {
      refuseTaken(tables, projectId, teamId, sources);
      const { eventSources } = tables;
      for (const { source } of eventSources.where('project', projectId)) eventSources.remove(keyOf(teamId, source));
      for (const [place, source] of sources.entries())
        eventSources.put(keyOf(teamId, source), { projectId, source, place });
    }),
  projectsOf: (sources) =>
    read(({ eventSources, projects }) =>
      sources.map((source) =>
        ascending(eventSources.where('source', source), ({ projectId }) => [projectId]).flatMap(
          ({ projectId }) => projects.get(projectId) ?? [],
        ),
      ),
    ),
});

/** The policy a project has now. */
export const currentPolicy = (tables: Tables, projectId: string): PolicyVersion | undefined => {
  const current = greatest(tables.policies.where('project', projectId), ({ version }) => [version]);
  if (current === undefined) return undefined;
  return versionOf(current);
};

const versionOf = ({ policy, version, changedAt, changedBy }: PolicyVersion): PolicyVersion => ({
  policy,
  version,
  changedAt,
  changedBy,
});

const refuseTakenName = (tables: Tables, { id, teamId, name }: Project): void => {
  const twin = tables.projects.where('name', name).some((other) => other.teamId === teamId && other.id !== id);
  if (twin) throw new DomainError('name-taken', `The team has a project named ${name} already.`, { name });
};

/** A project as of a moment. */
export const projectAt = (tables: Tables, project: Project, at: number): ProjectAt => ({
  project,
  environments: currentPolicy(tables, project.id)?.policy.environments ?? null,
  releases: windowsAt(tables, project.id, at),
});

const refuseTaken = (
  { eventSources, projects }: Tables,
  projectId: string,
  teamId: string,
  sources: readonly string[],
): void => {
  for (const source of sources) {
    const owner = eventSources.get(keyOf(teamId, source))?.projectId ?? projectId;
    if (owner === projectId) continue;
    const project = { id: owner, name: projects.get(owner)?.name };
    const message = `${source} is an event source of ${project.name}.`;
    throw new DomainError('event-source-taken', message, { source, project });
  }
};
