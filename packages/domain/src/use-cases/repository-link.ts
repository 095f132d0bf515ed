import type { Principal } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import { isClosed, sameValue } from '../release/release.js';
import type {
  ConfiguredHost,
  HookDelivery,
  HostAccount,
  HostMilestone,
  HostRepository,
  RepositorySearch,
} from '../repository/host.js';
import {
  dueByDelivery,
  freshImport,
  type ImportState,
  type LinkedRepository,
  MOST_SUSPECTS,
} from '../repository/import-state.js';
import { hostExternalId, type LinkSettings, linkFaults } from '../repository/link.js';
import {
  type ChangePorts,
  findGuardedProject,
  findProject,
  type GuardedProjectPath,
  type InProject,
  type ProjectPath,
  runProjectChange,
} from './change.js';
import { HOST_ANSWERS_WITHIN, type HostPorts, requireHost, requireWorking, withAccess } from './host-grant.js';
import { releasesOf } from './import/milestones.js';

/** The repository the project is linked to. @throws DomainError `not-found` */
const linkOf = async (
  { repositoryLinks }: Pick<Stores, 'repositoryLinks'>,
  projectId: string,
): Promise<LinkedRepository> => {
  const linked = await repositoryLinks.ofProject(projectId);
  if (linked === undefined) throw notFound('repository link');
  return linked;
};

interface LinkRepository extends InProject {
  /** Owner and name: `acme/shop`. */
  readonly path: string;
  readonly settings: LinkSettings;
}

const repositoryAt = async (
  ports: HostPorts,
  host: ConfiguredHost,
  userId: string,
  path: string,
): Promise<HostRepository> => {
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const connection = await requireWorking(ports.stores, userId, host);
  try {
    return await withAccess(ports, connection, deadline, (access) => host.reader.repository(access, path));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    const message = `${connection.account.name} can read no repository of that name at ${host.title}.`;
    throw invalid([{ pointer: '/repository', code: 'unknown-repository', message }]);
  }
};

/** The settings that decide which issues belong to which release, and as what they count. */
const issueSettings = ({ filter, mapping, milestones }: LinkSettings): object => ({
  filter,
  mapping,
  milestones: typeof milestones === 'string' ? milestones : [...milestones].sort((a, b) => a - b),
});

/**
 * The releases that are pending when the same repository is linked again: those that were before. With other settings for
 * issues, all open releases that follow a milestone are pending, because the issues move page by page, and a half-read release
 * may look done. The same holds where the former link's settings are not known any more.
 */
const pendingWhenRelinked = async (
  stores: Stores,
  projectId: string,
  before: LinkedRepository | undefined,
  settings: LinkSettings,
): Promise<readonly string[]> => {
  if (before !== undefined && sameValue(issueSettings(before.link.settings), issueSettings(settings)))
    return before.state.pendingReleaseIds;
  const releases = await releasesOf(stores, projectId);
  return releases.filter((release) => release.externalId !== null && !isClosed(release)).map(({ id }) => id);
};

const NEVER_READ: Pick<ImportState, 'completedAt' | 'goneCheckedAt'> = { completedAt: null, goneCheckedAt: null };

/**
 * Links the project to a repository the caller can read, in place of any other, and has its import begin.
 * @throws DomainError `not-found`, `forbidden`, `host-not-configured`, `invalid`, `host-not-connected`, `host-rejected`, `host-unavailable`
 */
export async function linkRepository(
  ports: ChangePorts & HostPorts,
  command: LinkRepository,
): Promise<LinkedRepository> {
  const { by, teamId, projectId, path, settings } = command;
  const { principal } = by;
  await findGuardedProject(ports.stores, { principal, teamId, projectId, needs: by.needs });
  const host = requireHost(ports);
  const faults = linkFaults(settings, host.gives);
  if (faults.length > 0) throw invalid(faults);
  const { private: _, archived: __, ...repository } = await repositoryAt(ports, host, principal.userId, path);
  return runProjectChange(ports, command, async ({ stores, now, newId, note }) => {
    // Checked again: the person may have disconnected while the host was asked, and the link would never be read.
    await requireWorking(stores, principal.userId, host);
    const whose = { id: newId(), projectId, host: host.name, userId: principal.userId };
    const link = { ...whose, repository, settings, linkedAt: now, linkedBy: principal.name };
    const before = await stores.repositoryLinks.ofProject(projectId);
    const last = await stores.repositoryLinks.lastOf(projectId);
    const goesOn = last?.host === host.name && last.repositoryId === repository.id;
    if (!goesOn) {
      // Records of another repository would never be imported again, so they become the project's own.
      await stores.issues.detachFromHost(projectId);
      await stores.releases.detachFromHost(projectId);
    }
    const pending = goesOn ? await pendingWhenRelinked(stores, projectId, before, settings) : [];
    // What was imported before is as of then: it is stale since that moment if the new link cannot be read.
    const { completedAt, goneCheckedAt } = (goesOn ? before?.state : undefined) ?? NEVER_READ;
    const linked = { link, state: { ...freshImport(link.id, now, pending), completedAt, goneCheckedAt } };
    await stores.repositoryLinks.put(linked);
    const resource = { type: 'project', id: projectId };
    const detail = { host: host.name, repository: repository.path };
    await note({ teamId, action: 'repository.link', resource, detail });
    return linked;
  });
}

/** Ends a project's link; what was imported stays and is kept by hand from then on. @throws DomainError `not-found`, `forbidden` */
export function unlinkRepository(ports: ChangePorts, command: InProject): Promise<void> {
  return runProjectChange(ports, command, async ({ stores, project, now, note }) => {
    const { link } = await linkOf(stores, project.id);
    await stores.repositoryLinks.remove(link.id, now);
    const resource = { type: 'project', id: project.id };
    const detail = { host: link.host, repository: link.repository.path };
    await note({ teamId: project.teamId, action: 'repository.unlink', resource, detail });
  });
}

/** The repository a project is linked to, with the state of its import. @throws DomainError `not-found` */
export async function readLink({ stores }: Pick<Ports, 'stores'>, path: ProjectPath): Promise<LinkedRepository> {
  const { id } = await findProject(stores, path);
  return linkOf(stores, id);
}

/** The values with which to set up the repository's webhook at the host. */
interface IncomingHookSetup {
  readonly secret: string;
  /** Names of the events to choose. */
  readonly events: readonly string[];
}

/** How to set up the webhook of a project's repository. @throws DomainError `not-found`, `forbidden`, `host-not-configured` */
export async function readIncomingHookSetup(
  ports: Pick<Ports, 'stores' | 'repositoryHost'>,
  path: GuardedProjectPath,
): Promise<IncomingHookSetup> {
  const project = await findGuardedProject(ports.stores, path);
  const { link } = await linkOf(ports.stores, project.id);
  const { hooks } = requireHost(ports, link.host);
  return { secret: hooks.secretOf(link.repository.id, project.id), events: hooks.events };
}

/**
 * Has the linked repository imported now instead of when it is due.
 * @throws DomainError `not-found`, `forbidden`; `host-not-configured`, `host-not-connected`, `host-rejected` when it cannot go on
 */
export function requestImport(
  ports: ChangePorts & Pick<Ports, 'repositoryHost'>,
  command: InProject,
): Promise<LinkedRepository> {
  return runProjectChange(ports, command, async ({ stores, project, now, note }) => {
    const { link } = await linkOf(stores, project.id);
    await requireWorking(stores, link.userId, requireHost(ports, link.host));
    await stores.repositoryLinks.hurryLink(link.id, now);
    const resource = { type: 'project', id: project.id };
    const detail = { host: link.host, repository: link.repository.path };
    await note({ teamId: project.teamId, action: 'repository.import', resource, detail });
    return linkOf(stores, project.id);
  });
}

interface ListRepositories {
  readonly principal: Principal;
  readonly search: RepositorySearch;
}

interface ListedRepositories {
  readonly rows: readonly HostRepository[];
  readonly next: string | null;
  /** The account that sees these repositories. */
  readonly account: HostAccount;
  /** Why there are none at all; null: there are some, or a page after the first was asked for. */
  readonly empty: 'none_readable' | 'no_match' | null;
  /** The reason as a sentence for people; null when `empty` is. */
  readonly message: string | null;
}

/** The repositories the caller's account at the host can read. @throws DomainError `host-not-configured`, `host-not-connected`, `host-rejected`, `host-unavailable` */
export async function listRepositories(
  ports: HostPorts,
  { principal, search }: ListRepositories,
): Promise<ListedRepositories> {
  const host = requireHost(ports);
  const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
  const connection = await requireWorking(ports.stores, principal.userId, host);
  const { rows, next } = await withAccess(ports, connection, deadline, (access) =>
    host.reader.repositories(access, search),
  );
  const { account } = connection;
  const found = { rows, next, account };
  if (rows.length > 0 || next !== null || search.page !== null) return { ...found, empty: null, message: null };
  if (search.text !== null)
    return { ...found, empty: 'no_match', message: `${account.name} can read no repository with that in its name.` };
  const message = `${account.name} has no readable repositories at ${host.title}, or you are signed in there with another account than the one that has them.`;
  return { ...found, empty: 'none_readable', message };
}

interface ReadMilestones extends GuardedProjectPath {
  /** Continues the list; null: begins it. */
  readonly page: string | null;
}

/** A milestone with the release it became; null: none. */
interface MilestoneRow extends HostMilestone {
  readonly releaseId: string | null;
}

interface MilestoneRows {
  readonly rows: readonly MilestoneRow[];
  readonly next: string | null;
}

/**
 * The milestones of a project's repository, read with the connection of the person who linked it.
 * @throws DomainError `not-found`, `forbidden`, `host-not-configured`, `host-not-connected`, `host-rejected`,
 * `host-unavailable`
 */
export async function readMilestones(ports: HostPorts, { page, ...path }: ReadMilestones): Promise<MilestoneRows> {
  const { stores, clock } = ports;
  const project = await findGuardedProject(stores, path);
  const { link } = await linkOf(stores, project.id);
  const host = requireHost(ports, link.host);
  const connection = await requireWorking(stores, link.userId, host);
  const request = { since: null, page, validator: null };
  const reading = await withAccess(ports, connection, clock() + HOST_ANSWERS_WITHIN, (access) =>
    host.reader.milestones(access, link.repository, request),
  );
  if (reading.unchanged) return { rows: [], next: null };
  const names = reading.rows.map(({ id }) => hostExternalId(link.host, id));
  const releases = await stores.releases.byExternalIds(project.id, names);
  const rows = reading.rows.map((row, index) => ({ ...row, releaseId: releases[index]?.id ?? null }));
  return { rows, next: reading.next };
}

interface ReceivedHook {
  /** Whether the delivery made a link due. */
  readonly accepted: boolean;
  /** It was received before, and nothing was done. */
  readonly repeated: boolean;
}

/**
 * Takes a delivery of the host's webhooks: makes the link that it was signed for due soon, if the link still leads to
 * that repository. A repetition does nothing. Links of other projects to the same repository have secrets of their own.
 * @throws DomainError `host-not-configured`, `wrong-signature`, `invalid`
 */
export async function receiveHook(
  ports: Pick<Ports, 'stores' | 'clock' | 'repositoryHost'>,
  delivery: HookDelivery,
): Promise<ReceivedHook> {
  const { name: host, hooks } = requireHost(ports);
  const { deliveryId, repositoryId, parts, suspectIssueIds } = hooks.read(delivery);
  const { projectId } = delivery;
  const now = ports.clock();
  return ports.stores.transaction(async ({ repositoryLinks }) => {
    // Ids of deliveries are not signed: those of one link must not use up those of another.
    if (!(await repositoryLinks.receive(host, `${projectId}:${deliveryId}`, now)))
      return { accepted: false, repeated: true };
    const nothing = { accepted: false, repeated: false };
    if (projectId === null || (parts.length === 0 && suspectIssueIds.length === 0)) return nothing;
    const linked = await repositoryLinks.ofProject(projectId);
    if (linked?.link.host !== host || linked.link.repository.id !== repositoryId) return nothing;
    const room = Math.max(0, MOST_SUSPECTS - linked.state.suspectIssueIds.length);
    await repositoryLinks.hurryLink(linked.link.id, dueByDelivery(linked.state, now), suspectIssueIds.slice(0, room));
    return { accepted: true, repeated: false };
  });
}
