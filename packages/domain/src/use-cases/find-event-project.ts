import { requireRole, teamsInSight } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { matchAppName, oneOf, unmatchedAmong } from '../attribution/match-app-name.js';
import type { ServiceEvent, SuiteRunEvent } from '../cdevent/cdevent.js';
import { namesOf, serviceName, sourcesOf } from '../cdevent/event-origin.js';
import { type Tried, untraced } from '../cdevent/untraced.js';
import { type DomainError, invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import type { Project } from '../project/project.js';

type Event = ServiceEvent | SuiteRunEvent;
type FindingPorts = Pick<Ports, 'stores' | 'lookups'>;

const UNKNOWN_PROJECT = {
  pointer: '/project_id',
  code: 'unknown-project',
  message: 'project_id names no project in sight.',
};

/** Each project once, of those the principal sees. */
const visible = (principal: Principal, found: readonly (readonly Project[])[]): readonly Project[] => [
  ...new Map(
    found
      .flat()
      .filter(({ teamId }) => principal.roles.has(teamId))
      .map((project) => [project.id, project]),
  ).values(),
];

/** The project that custom data says; undefined: it says none. A name together with an id must be that project's. */
const said = async (
  { stores, lookups }: FindingPorts,
  principal: Principal,
  { appName, projectId, at }: Event,
): Promise<Project | undefined> => {
  if (appName !== null) {
    const match = matchAppName(principal, { appName, projectId }, await lookups.namedProject({ name: appName, at }));
    if (match !== undefined) return match.project;
    throw unmatchedAmong(await stores.projects.names(teamsInSight(principal)))({ appName, projectId });
  }
  if (projectId === null) return undefined;
  const found = await lookups.projectAt({ projectId, at });
  if (found === undefined || !principal.roles.has(found.project.teamId)) throw invalid([UNKNOWN_PROJECT]);
  return found.project;
};

const named = async ({ lookups }: FindingPorts, principal: Principal, names: readonly string[], at: number) => {
  const found = await Promise.all(names.map((name) => lookups.namedProject({ name, at })));
  return visible(
    principal,
    found.map((ofName) => ofName.map(({ project }) => project)),
  );
};

const mapped = async ({ lookups }: FindingPorts, principal: Principal, sources: readonly string[]) =>
  visible(principal, await Promise.all(sources.map((source) => lookups.sourceProjects(source))));

const inSight = async ({ lookups }: FindingPorts, principal: Principal) =>
  visible(principal, await Promise.all(teamsInSight(principal).map((teamId) => lookups.teamProjects(teamId))));

/** Why a service named so belongs to no project: as for a name that was reported, with all that was tried instead. */
const refusal = async (
  { stores }: FindingPorts,
  principal: Principal,
  service: string | null,
  tried: Tried,
): Promise<DomainError> => {
  if (service === null) return untraced(tried, null);
  const names = await stores.projects.names(teamsInSight(principal));
  return untraced(tried, unmatchedAmong(names)({ appName: service, projectId: null }));
};

const traced = async (ports: FindingPorts, principal: Principal, event: Event): Promise<Project> => {
  const service = event.kind === 'testsuiterun.finished' ? null : serviceName(event);
  const ofService = service === null ? [] : await named(ports, principal, [service], event.at);
  const [only, ...others] = ofService;
  if (only !== undefined && others.length === 0) return only;
  const sources = sourcesOf(event);
  const bySource = oneOf(await mapped(ports, principal, sources), 'projects have event sources of this event');
  if (bySource !== undefined) return bySource;
  // A mapping may say which of several is meant; nothing that is less certain may.
  oneOf(ofService, `projects are named ${service}`);
  // A named service that is nobody's belongs to another project: guessed on, it would count where it was not deployed.
  if (service !== null) throw await refusal(ports, principal, service, { kind: event.kind, sources, guesses: null });
  const names = namesOf(event);
  const byName = oneOf(await named(ports, principal, names, event.at), 'projects have a name of this event');
  if (byName !== undefined) return byName;
  const all = await inSight(ports, principal);
  const [single] = all;
  if (single !== undefined && all.length === 1) return single;
  throw await refusal(ports, principal, service, {
    kind: event.kind,
    sources,
    guesses: { names, inSight: all.length },
  });
};

/**
 * The project an event is about: the one its custom data says; else the one its service is named after; else the one that
 * has an event source of it; and only where it names no service: the one in sight named like its suite or the end of its
 * sources; else the only one in sight.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`
 */
export const findEventProject = async (ports: FindingPorts, principal: Principal, event: Event): Promise<Project> => {
  const project = (await said(ports, principal, event)) ?? (await traced(ports, principal, event));
  requireRole(principal, project.teamId, 'member');
  return project;
};
