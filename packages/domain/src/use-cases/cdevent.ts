import {
  atHome,
  type Principal,
  requireRole,
  seesProject,
  type TeamCaller,
  teamsInSight,
} from '../access/principal.js';
import type { DeploymentView, TestRunView } from '../attribution.js';
import {
  appNamePointer,
  type CdEvent,
  deploymentOfEvent,
  EVENT_POINTERS,
  possibleProjectNames,
  projectNotFoundForEvent,
  refusalInEvent,
  type ServiceEvent,
  type SuiteRunEvent,
  serviceName,
  sourcesOf,
  type Tried,
  testRunOfEvent,
} from '../cdevent.js';
import { DomainError, invalid } from '../errors.js';
import { onlyProject } from '../match-app-name.js';
import type { Reported } from '../pipeline-report.js';
import type { Ports } from '../ports.js';
import type { NamedProject, Project } from '../project.js';
import { type ChangePorts, type InProject, runProjectChange } from './change.js';
import { recordDeployment } from './deployment.js';
import { findNamedProject, type NamesOnce, namesOnce } from './project.js';
import { recordTestRun } from './test-run.js';

type Event = ServiceEvent | SuiteRunEvent;
type FindingPorts = Pick<Ports, 'stores' | 'lookups'>;

const UNKNOWN_PROJECT = {
  pointer: '/project_id',
  code: 'unknown-project',
  message: 'project_id names no project in sight.',
};

/**
 * The project that the custom data of the event names; undefined: it names none. A name and an id together must name
 * the same project.
 */
const projectByCustomData = async (
  { lookups }: FindingPorts,
  caller: TeamCaller,
  { appName, projectId, at }: Event,
  names: NamesOnce,
): Promise<Project | undefined> => {
  if (appName !== null) {
    const named = await lookups.namedProject({ name: appName, at });
    return (await findNamedProject(caller, { appName, projectId }, named, names)).project;
  }
  if (projectId === null) return undefined;
  const found = await lookups.projectAt({ projectId, at });
  if (found === undefined || !seesProject(caller.principal, found.project)) throw invalid([UNKNOWN_PROJECT]);
  return found.project;
};

/** Returns the projects that are at the home of the principal, each once. */
const ofHome = (principal: Principal, found: readonly (readonly Project[])[]): readonly Project[] => {
  const home = atHome(principal);
  const seen = found.flat().filter((project) => seesProject(home, project));
  return [...new Map(seen.map((project) => [project.id, project])).values()];
};

const projectsOf = (named: readonly NamedProject[]) => named.map(({ project }) => project);

const projectsByName = async (
  { lookups }: FindingPorts,
  principal: Principal,
  names: readonly string[],
  at: number,
) => {
  const found = await Promise.all(names.map((name) => lookups.namedProject({ name, at })));
  return ofHome(principal, found.map(projectsOf));
};

const projectsByEventSource = async ({ lookups }: FindingPorts, principal: Principal, sources: readonly string[]) =>
  ofHome(principal, await Promise.all(sources.map((source) => lookups.sourceProjects(source))));

const homeProjects = async ({ lookups }: FindingPorts, principal: Principal) =>
  ofHome(principal, await Promise.all(teamsInSight(atHome(principal)).map((teamId) => lookups.teamProjects(teamId))));

/**
 * Finds the project of a service that no event source at the key's home names: the service's name is matched like a reported
 * app name, and a refusal lists all that was tried.
 */
const namedAsService = async (caller: TeamCaller, service: Service, tried: Tried, names: NamesOnce) => {
  try {
    const asked = { appName: service.name, projectId: null };
    return (await findNamedProject(caller, asked, service.named, names)).project;
  } catch (refusal) {
    if (refusal instanceof DomainError && refusal.code === 'unknown-app-name')
      throw projectNotFoundForEvent(tried, refusal);
    throw refusal;
  }
};

/** The name of a service, and all projects of that name. */
interface Service {
  readonly name: string;
  readonly named: readonly NamedProject[];
}

const serviceOf = async ({ lookups }: FindingPorts, event: Event): Promise<Service | null> => {
  const name = event.kind === 'testsuiterun.finished' ? null : serviceName(event);
  return name === null ? null : { name, named: await lookups.namedProject({ name, at: event.at }) };
};

/**
 * Finds the project by what the event names. Only the name of a service reaches beyond the home of the key, as in
 * reports. Otherwise another team could choose its event sources and project names so that it receives these events.
 */
const projectByEvent = async (
  ports: FindingPorts,
  caller: TeamCaller,
  event: Event,
  inSight: NamesOnce,
): Promise<Project> => {
  const { principal } = caller;
  const service = await serviceOf(ports, event);
  const [only, ...others] = service === null ? [] : ofHome(principal, [projectsOf(service.named)]);
  if (only !== undefined && others.length === 0) return only;
  const sources = sourcesOf(event);
  // A mapping may say which of several projects is meant; a guessed name may not.
  const bySource = onlyProject(
    await projectsByEventSource(ports, principal, sources),
    'projects have event sources of this event',
  );
  if (bySource !== undefined) return bySource;
  const { kind } = event;
  // A named service that matches no project must not fall back to the only one: it would count where it was not deployed.
  if (service !== null) return namedAsService(caller, service, { kind, sources, guesses: null }, inSight);
  const names = possibleProjectNames(event);
  const byName = onlyProject(
    await projectsByName(ports, principal, names, event.at),
    'projects have a name of this event',
  );
  if (byName !== undefined) return byName;
  const all = await homeProjects(ports, principal);
  const [single] = all;
  if (single !== undefined && all.length === 1) return single;
  throw projectNotFoundForEvent({ kind, sources, guesses: { names, atHome: all.length } }, null);
};

/**
 * Finds the project of an event: the one that its custom data names; else the one with the name of its service; else
 * the one that has one of its event sources. For an event without a service, it may also be the one named like its
 * suite or the end of its sources, or else the only project. Searches at the home of the key, and elsewhere only by
 * custom data or the name of a service, as for reports.
 * @param names the names in sight, which the events of one request share
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`
 */
export async function findEventProject(
  ports: FindingPorts,
  caller: TeamCaller,
  event: Event,
  names: NamesOnce = namesOnce(ports.stores, caller.principal),
): Promise<Project> {
  const project =
    (await projectByCustomData(ports, caller, event, names)) ?? (await projectByEvent(ports, caller, event, names));
  requireRole(caller.principal, project.teamId, caller.needs);
  return project;
}

interface ReceiveCdEvent extends TeamCaller {
  readonly event: CdEvent;
  /** JSON pointer of the event within what was sent. */
  readonly base: string;
  /** The names in sight, which the events of one request share; read for this one alone unless given. */
  readonly names?: NamesOnce;
}

/** The result of an event: the record made of it, now or when it was first received, or why there is none. */
export type CdEventReceipt =
  | { readonly kind: 'deployment'; readonly result: 'created' | 'duplicate'; readonly view: DeploymentView }
  | { readonly kind: 'test_run'; readonly result: 'created' | 'duplicate'; readonly view: TestRunView }
  | { readonly kind: 'none'; readonly reason: 'type_not_used' | 'not_a_cdevent' | 'run_canceled' };

type ReceivingPorts = Parameters<typeof recordDeployment>[0] & Parameters<typeof recordTestRun>[0];

const made = <View>(reported: Reported<View>) => {
  if (reported.outcome === 'created' || reported.outcome === 'duplicate')
    return { result: reported.outcome, view: reported.view };
  throw new Error('An event is repeated by its own id, never by a key.');
};

/**
 * Returns the event with the external id of its stored record, where earlier versions recorded it under an id that was
 * not unique.
 */
const asRecorded = async <Of extends Event>(
  { stores }: Pick<Ports, 'stores'>,
  projectId: string,
  event: Of,
): Promise<Of> => {
  const { formerName: id, external } = event;
  if (id === null) return event;
  const { deployments, testRuns } = stores;
  const records = event.kind === 'testsuiterun.finished' ? testRuns : deployments;
  const [known] = (await records.page({ projectId, externalId: id }, { limit: 1, after: null })).rows;
  if (known?.external?.fingerprint !== external.fingerprint) return event;
  return { ...event, external: { ...external, id } };
};

const receiveService = async (ports: ReceivingPorts, caller: TeamCaller, event: ServiceEvent, names?: NamesOnce) => {
  const told = deploymentOfEvent(event);
  const { id: projectId, name: appName } = await findEventProject(ports, caller, event, names);
  const { external } = await asRecorded(ports, projectId, event);
  const report = { ...told, external, projectId, appName };
  return { kind: 'deployment', ...made(await recordDeployment(ports, { ...caller, report, remember: null })) } as const;
};

const receiveSuiteRun = async (ports: ReceivingPorts, caller: TeamCaller, event: SuiteRunEvent, names?: NamesOnce) => {
  const told = testRunOfEvent(event);
  if (told === null) return { kind: 'none', reason: 'run_canceled' } as const;
  const { id: projectId, teamId } = await findEventProject(ports, caller, event, names);
  const { external } = await asRecorded(ports, projectId, event);
  const command = { ...caller, teamId, projectId, report: { ...told, external }, remember: null };
  return { kind: 'test_run', ...made(await recordTestRun(ports, command)) } as const;
};

/**
 * Records what a CDEvent tells: a service event as a deployment, a finished test suite as a test run of the active release.
 * An event that was received before answers the record of the first time. Faults point into what was sent.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`,
 * `no-active-release`, `release-closed`, `external-id-conflict`
 */
export async function receiveCdEvent(
  ports: ReceivingPorts,
  { principal, needs, event, base, names }: ReceiveCdEvent,
): Promise<CdEventReceipt> {
  if (event.kind === 'other') return { kind: 'none', reason: 'type_not_used' };
  if (event.kind === 'foreign') return { kind: 'none', reason: 'not_a_cdevent' };
  const isRun = event.kind === 'testsuiterun.finished';
  const caller = { principal, needs };
  try {
    return await (isRun ? receiveSuiteRun(ports, caller, event, names) : receiveService(ports, caller, event, names));
  } catch (refusal) {
    if (!(refusal instanceof DomainError)) throw refusal;
    const appName = isRun ? '/customData/app_name' : appNamePointer(event);
    throw refusalInEvent(refusal, { ...EVENT_POINTERS, '/app_name': appName }, base);
  }
}

interface SetEventSources extends InProject {
  /** At most 100 texts of 1-500 characters. */
  readonly sources: readonly string[];
}

/**
 * Replaces the event sources of a project; each source once, in the order given.
 * @throws DomainError `not-found`, `forbidden`, `event-source-taken`
 */
export function setEventSources(ports: ChangePorts, command: SetEventSources): Promise<readonly string[]> {
  return runProjectChange(ports, command, async ({ stores, project, note }) => {
    const sources = [...new Set(command.sources)];
    const before = await stores.eventSources.ofProject(project.id);
    if (JSON.stringify(before) === JSON.stringify(sources)) return sources;
    await stores.eventSources.replace(project, sources);
    const resource = { type: 'project', id: project.id };
    await note({
      teamId: project.teamId,
      action: 'event-sources.set',
      resource,
      detail: { from: before, to: sources },
    });
    return sources;
  });
}
