import {
  type BodyOf,
  type Operations,
  operationsOf,
  type RepositoryLink as WireLink,
  type Milestone as WireMilestone,
  type HostRepository as WireRepository,
} from '@shipworthy/client/contract';
import type {
  HostConnection,
  ImportState,
  Instant,
  IssueMapping,
  LinkedRepository,
  LinkSettings,
  RepositoryLink,
} from '@shipworthy/domain';
import type { ConfiguredHost, HostMilestone, HostRepository, Ports } from '@shipworthy/domain/ports';
import {
  linkRepository,
  readIncomingHookSetup,
  readLink,
  readMilestones,
  requestImport,
  unlinkRepository,
} from '@shipworthy/domain/use-cases';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment, wireMomentOrNull } from '../wire.js';
import { actorOf, needHost, pageReply } from './replies.js';

/** The connection that the import of a link uses. */
interface LinkSource {
  /** null: this server is not set up for the link's host. */
  readonly host: Pick<ConfiguredHost, 'title'> | null;
  readonly connection: HostConnection | undefined;
  readonly now: Instant;
}

/** Why the import cannot go on, and who can change that; null: it can. */
const stopOf = ({ linkedBy, host: name }: RepositoryLink, { host, connection }: LinkSource): string | null => {
  if (host === null) return `This server is not set up to connect ${name}; its administrator must enable it.`;
  if (connection?.state === 'rejected')
    return `${host.title} refused the connection of ${linkedBy}, who must approve access again.`;
  if (connection?.state === 'ok') return null;
  return `${linkedBy} has no connection to ${host.title} any more and must connect again, or an owner links the repository again.`;
};

/** The moment until which a due import or a retry must wait; null: it need not. */
const pauseOf = ({ dueAt, failure }: ImportState, { connection, now }: LinkSource): Instant | null => {
  const until = connection?.pausedUntil ?? null;
  return until !== null && until > now && (dueAt <= now || failure !== null) ? until : null;
};

const pauseText = (until: Instant, { failure }: ImportState, { host, now }: LinkSource): string => {
  const [date = '', time = ''] = wireMoment(until).split('T');
  const on = wireMoment(now).startsWith(date) ? '' : ` on ${date}`;
  const why =
    failure?.code === 'host-unavailable'
      ? `${host?.title ?? 'the host'} asked for it`
      : "little of the host's budget is left";
  return `Waits until ${time.slice(0, 5)} UTC${on}: ${why}.`;
};

const stateOf = (
  { failure, startedAt, completedAt, dueAt }: ImportState,
  stop: string | null,
  pause: Instant | null,
  now: Instant,
): WireLink['import']['state'] => {
  if (stop !== null) return 'stopped';
  if (failure !== null) return 'failing';
  if (pause !== null) return 'waiting';
  if (startedAt !== null) return 'running';
  return completedAt === null || dueAt <= now ? 'waiting' : 'idle';
};

const wireImport = ({ link, state }: LinkedRepository, source: LinkSource): WireLink['import'] => {
  const stop = stopOf(link, source);
  const pause = pauseOf(state, source);
  const { milestones, issues, deployments, testRuns } = state.counts;
  const { failure } = state;
  const nextAt = Math.max(state.dueAt, source.connection?.pausedUntil ?? state.dueAt);
  return {
    state: stateOf(state, stop, pause, source.now),
    message: stop ?? (pause === null ? null : pauseText(pause, state, source)),
    stage: state.checkpoint.stage,
    started_at: wireMomentOrNull(state.startedAt),
    completed_at: wireMomentOrNull(state.completedAt),
    next_at: wireMoment(nextAt),
    counts: { milestones, issues, deployments, test_runs: testRuns },
    failure: failure && { ...failure, at: wireMoment(failure.at) },
  };
};

const wireSettings = ({ filter, mapping, milestones, deployments, testRuns }: LinkSettings) => {
  const { inProgress, ...words } = mapping;
  return {
    issue_filter: { labels: filter.labels, path_prefix: filter.pathPrefix },
    mapping: { ...words, in_progress: inProgress },
    milestones,
    deployments,
    test_runs: testRuns,
  };
};

/** The repository a project is linked to, with the state of its import. */
export const wireRepositoryLink = (linked: LinkedRepository, source: LinkSource): WireLink => {
  const { repository, host, settings, linkedAt, linkedBy } = linked.link;
  const { id, path, url, defaultBranch } = repository;
  return {
    repository: { id, path, url, default_branch: defaultBranch },
    host,
    ...wireSettings(settings),
    linked_at: wireMoment(linkedAt),
    linked_by: linkedBy,
    import: wireImport(linked, source),
  };
};

type Sent = BodyOf<Operations['linkRepository']>;

const mappingOf = ({ in_progress, ...words }: NonNullable<Sent['mapping']>): IssueMapping => {
  const none = { bug: [], feature: [], chore: [], critical: [], major: [], minor: [] };
  return { ...none, ...words, inProgress: in_progress ?? [] };
};

/** The link settings of a request; values that were not sent get the defaults of the contract. */
export const linkSettingsOf = (sent: Sent): LinkSettings => ({
  filter: { labels: sent.issue_filter?.labels ?? [], pathPrefix: sent.issue_filter?.path_prefix ?? null },
  mapping: mappingOf(sent.mapping ?? {}),
  milestones: sent.milestones ?? 'none',
  deployments: sent.deployments ?? false,
  testRuns: sent.test_runs ?? 'none',
});

/** A repository to choose from. */
export const wireHostRepository = ({ id, path, url, private: hidden, archived }: HostRepository): WireRepository => ({
  id,
  path,
  url,
  private: hidden,
  archived,
});

/** A milestone with the release it became. */
export const wireMilestone = (milestone: HostMilestone & { readonly releaseId: string | null }): WireMilestone => ({
  id: milestone.id,
  number: milestone.number,
  title: milestone.title,
  state: milestone.state,
  due_at: wireMomentOrNull(milestone.dueAt),
  url: milestone.url,
  release_id: milestone.releaseId,
});

/** A link with the connection its import reads with. */
const linkReply = async ({ stores, repositoryHost, clock }: Ports, linked: LinkedRepository) => {
  const { userId, host } = linked.link;
  const connection = await stores.hostConnections.of(userId, host);
  const source = { host: repositoryHost?.name === host ? repositoryHost : null, connection, now: clock() };
  return { status: 200, body: { data: wireRepositoryLink(linked, source) } } as const;
};

const read: RouteHandler<OperationOf<'readRepositoryLink'>> = async (_, { ports, principal, place }) => {
  const { teamId, projectId } = place;
  return linkReply(ports, await readLink(ports, { principal, teamId, projectId }));
};

const link: RouteHandler<OperationOf<'linkRepository'>> = async ({ body }, context) => {
  const { ports, place } = context;
  const { teamId, projectId } = place;
  const command = { by: actorOf(context), teamId, projectId, path: body.repository, settings: linkSettingsOf(body) };
  return linkReply(ports, await linkRepository(ports, command));
};

const unlink: RouteHandler<OperationOf<'unlinkRepository'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  await unlinkRepository(context.ports, { by: actorOf(context), teamId, projectId });
  return { status: 204 };
};

const milestones: RouteHandler<OperationOf<'listMilestones'>> = async (
  _,
  { ports, principal, needs, place, page, sealCursor },
) => {
  const { teamId, projectId } = place;
  const [token] = page.after ?? [];
  const from = token === undefined ? null : String(token);
  const { rows, next } = await readMilestones(ports, { principal, needs, teamId, projectId, page: from });
  return pageReply(rows.map(wireMilestone), sealCursor(next === null ? null : [next]));
};

const webhookAt =
  (baseUrl: URL): RouteHandler<OperationOf<'readRepositoryWebhook'>> =>
  async (_, { ports, principal, needs, place }) => {
    const { teamId, projectId } = place;
    const { secret, events } = await readIncomingHookSetup(ports, { principal, needs, teamId, projectId });
    const address = publicAddress(baseUrl, operationsOf(needHost(ports).name).receiveHook.path);
    const url = `${address}?${new URLSearchParams({ project_id: projectId })}`;
    return { status: 200, body: { data: { url, secret, events, content_type: 'application/json' } } };
  };

const request: RouteHandler<OperationOf<'importIssues'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  return linkReply(context.ports, await requestImport(context.ports, { by: actorOf(context), teamId, projectId }));
};

/** The repository of a project, and what is imported from it. `baseUrl` is where the host sends its deliveries. */
export const repositoryLinkRoutes = (baseUrl: URL) =>
  ({
    readRepositoryLink: read,
    linkRepository: link,
    unlinkRepository: unlink,
    listMilestones: milestones,
    readRepositoryWebhook: webhookAt(baseUrl),
    importIssues: request,
  }) as const satisfies Partial<Routes>;
