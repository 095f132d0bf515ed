import { atHome, mayLookBeyond, requireRole, seesProject, teamsInSight } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { oneOf } from '../attribution/match-app-name.js';
import type { ServiceEvent, SuiteRunEvent } from '../cdevent/cdevent.js';
import { namesOf, serviceName, sourcesOf } from '../cdevent/event-origin.js';
import { type Tried, untraced } from '../cdevent/untraced.js';
import { type DomainError, invalid } from '../errors.js';
import type { Ports } from '../ports.js';
import type { Project } from '../project/project.js';
import { findNamed, readNames } from './find-named-project.js';

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
      .filter((project) => seesProject(principal, project))
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
    const named = await lookups.namedProject({ name: appName, at });
    return (await findNamed(stores, principal, { appName, projectId }, named)).project;
  }
  if (projectId === null) return undefined;
  const found = await lookups.projectAt({ projectId, at });
  if (found === undefined || !seesProject(principal, found.project)) throw invalid([UNKNOWN_PROJECT]);
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

/** What an event names: its service or, where it names none, what its sources and suite are called. */
const saidNames = (event: Event): readonly string[] => {
  const service = event.kind === 'testsuiterun.finished' ? null : serviceName(event);
  return service === null ? namesOf(event) : [service];
};

/** Why a service named so belongs to no project: as for a name that was reported, with all that was tried instead. */
const refusal = async (
  { stores }: FindingPorts,
  principal: Principal,
  service: string | null,
  tried: Tried,
): Promise<DomainError> => {
  if (service === null) return untraced(tried, null);
  const { unmatched } = await readNames(stores, principal);
  return untraced(tried, unmatched({ appName: service, projectId: null }));
};

/** The project found by what the event names, among those the principal sees; how far it was looked for when there is none. */
const traced = async (ports: FindingPorts, principal: Principal, event: Event): Promise<Project | Tried> => {
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
  if (service !== null) return { kind: event.kind, sources, guesses: null };
  const names = saidNames(event);
  const byName = oneOf(await named(ports, principal, names, event.at), 'projects have a name of this event');
  if (byName !== undefined) return byName;
  const all = await inSight(ports, principal);
  const [single] = all;
  if (single !== undefined && all.length === 1) return single;
  return { kind: event.kind, sources, guesses: { names, inSight: all.length } };
};

const isProject = (found: Project | Tried): found is Project => 'teamId' in found;

/** The project traced at the home of the key; beyond it only where no project at home bears or once bore a name of the event. */
const tracedFromHome = async (ports: FindingPorts, principal: Principal, event: Event): Promise<Project> => {
  const home = await traced(ports, atHome(principal), event);
  if (isProject(home)) return home;
  if (mayLookBeyond(principal)) {
    const { bornAtHome } = await readNames(ports.stores, principal);
    const beyond = saidNames(event).some(bornAtHome) ? home : await traced(ports, principal, event);
    if (isProject(beyond)) return beyond;
  }
  const service = event.kind === 'testsuiterun.finished' ? null : serviceName(event);
  throw await refusal(ports, principal, service, home);
};

/**
 * The project an event is about: the one its custom data says; else the one its service is named after; else the one that
 * has an event source of it; and only where it names no service: the one in sight named like its suite or the end of its
 * sources; else the only one in sight.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`
 */
export const findEventProject = async (ports: FindingPorts, principal: Principal, event: Event): Promise<Project> => {
  const project = (await said(ports, principal, event)) ?? (await tracedFromHome(ports, principal, event));
  requireRole(principal, project.teamId, 'member');
  return project;
};
