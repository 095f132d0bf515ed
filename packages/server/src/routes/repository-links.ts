import { operationsOf } from '@shipworthy/client/contract';
import {
  type LinkedRepository,
  linkRepository,
  type Ports,
  readLink,
  readMilestones,
  readWebhook,
  requestImport,
  unlinkRepository,
} from '@shipworthy/domain';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { linkSettingsOf, wireMilestone, wireRepositoryLink } from '../wire/repository-link.js';
import { actorOf } from './actor.js';
import { needHost } from './host-refusal.js';
import { pageReply } from './page-reply.js';

/** A link with the connection its import reads with. */
const linkReply = async ({ stores, repositoryHost, clock }: Ports, linked: LinkedRepository) => {
  const { userId, host } = linked.link;
  const connection = await stores.hostConnections.of(userId, host);
  const source = { host: repositoryHost?.name === host ? repositoryHost : null, connection, now: clock() };
  return { status: 200, body: { data: wireRepositoryLink(linked, source) } } as const;
};

const read: Route<OperationOf<'readRepositoryLink'>> = async (_, { ports, principal, place }) => {
  const { teamId, projectId } = place;
  return linkReply(ports, await readLink(ports)({ principal, teamId, projectId }));
};

const link: Route<OperationOf<'linkRepository'>> = async ({ body }, context) => {
  const { ports, place } = context;
  const { teamId, projectId } = place;
  const command = { by: actorOf(context), teamId, projectId, path: body.repository, settings: linkSettingsOf(body) };
  return linkReply(ports, await linkRepository(ports)(command));
};

const unlink: Route<OperationOf<'unlinkRepository'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  await unlinkRepository(context.ports)({ by: actorOf(context), teamId, projectId });
  return { status: 204 };
};

const milestones: Route<OperationOf<'listMilestones'>> = async (_, { ports, principal, place, page, sealCursor }) => {
  const { teamId, projectId } = place;
  const [token] = page.after ?? [];
  const from = token === undefined ? null : String(token);
  const { rows, next } = await readMilestones(ports)({ principal, teamId, projectId, page: from });
  return pageReply(rows.map(wireMilestone), sealCursor(next === null ? null : [next]));
};

const webhookAt =
  (baseUrl: URL): Route<OperationOf<'readRepositoryWebhook'>> =>
  async (_, { ports, principal, place }) => {
    const { teamId, projectId } = place;
    const { secret, events } = await readWebhook(ports)({ principal, teamId, projectId });
    const url = publicAddress(baseUrl, operationsOf(needHost(ports).name).receiveHook.path);
    return { status: 200, body: { data: { url, secret, events, content_type: 'application/json' } } };
  };

const request: Route<OperationOf<'importIssues'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  return linkReply(context.ports, await requestImport(context.ports)({ by: actorOf(context), teamId, projectId }));
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
