import { DEFAULT_HOST, operationsOf } from '@shipworthy/client/contract';
import type { Ports } from '@shipworthy/domain/ports';
import {
  beginApproval,
  checkHostConnection,
  connectByToken,
  disconnectHost,
  finishApproval,
  listRepositories,
  readHostConnection,
  receiveHook,
} from '@shipworthy/domain/use-cases';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { connectedPage } from '../pages.js';
import { actorOf, needHost, refusedApproval } from './replies.js';
import { wireHostRepository } from './repository-links.js';

/** The address to which the host sends a person back; the OAuth application at the host must have exactly this one. */
const redirectUrl = ({ repositoryHost }: Ports, baseUrl: URL): string =>
  publicAddress(baseUrl, operationsOf(repositoryHost?.name ?? DEFAULT_HOST).finishHostConnection.path);

const read: RouteHandler<OperationOf<'readHostConnection'>> = async (_, { ports, principal }) => {
  const { configured, connected, account } = await readHostConnection(ports, { principal });
  return { status: 200, body: { configured, connected, ...(account === null ? {} : { account: account.name }) } };
};

const check: RouteHandler<OperationOf<'checkHostConnection'>> = async (_, { ports, principal }) => {
  const { status, mayWrite } = await checkHostConnection(ports, { principal });
  return { status: 200, body: { status, may_write: mayWrite } };
};

const connectAt =
  (baseUrl: URL): RouteHandler<OperationOf<'connectHost'>> =>
  async (_, context) => {
    const { ports } = context;
    const { url } = await beginApproval(ports, { by: actorOf(context), redirectUrl: redirectUrl(ports, baseUrl) });
    return { status: 200, body: { data: { url } } };
  };

const connectWithToken: RouteHandler<OperationOf<'connectHostByToken'>> = async ({ body }, context) => {
  const { connection, mayWrite } = await connectByToken(context.ports, { by: actorOf(context), token: body.token });
  const { name } = connection.account;
  return { status: 200, body: { configured: true, connected: true, account: name, may_write: mayWrite } };
};

const finishIn =
  (application: boolean): RouteHandler<OperationOf<'finishHostConnection'>> =>
  async ({ query }, context) => {
    const { title } = needHost(context.ports);
    const { state, code, error } = query;
    if (error !== undefined || state === undefined || code === undefined) throw refusedApproval(title, query);
    const { account } = await finishApproval(context.ports, { by: actorOf(context), state, code });
    return { status: 200, text: connectedPage(title, account.name, { basePath: context.basePath, application }) };
  };

const disconnect: RouteHandler<OperationOf<'disconnectHost'>> = async (_, context) => {
  await disconnectHost(context.ports, { by: actorOf(context) });
  return { status: 204 };
};

const list: RouteHandler<OperationOf<'listRepositories'>> = async (
  { query },
  { ports, principal, page, sealCursor },
) => {
  const [token] = page.after ?? [];
  const search = { text: query.search ?? null, limit: page.limit, page: token === undefined ? null : String(token) };
  const found = await listRepositories(ports, { principal, search });
  const next = sealCursor(found.next === null ? null : [found.next]);
  const body = {
    data: found.rows.map(wireHostRepository),
    next_cursor: next,
    account: found.account.name,
    empty_reason: found.empty,
    ...(found.message === null ? {} : { message: found.message }),
  };
  return { status: 200, body, next };
};

/**
 * Routes of a person's connection to the repository host. `baseUrl`: the host sends people back there; `application`: the page shown
 * then leads on to the application.
 */
export const repositoryHostRoutes = (baseUrl: URL, application: boolean) =>
  ({
    readHostConnection: read,
    checkHostConnection: check,
    connectHost: connectAt(baseUrl),
    connectHostByToken: connectWithToken,
    finishHostConnection: finishIn(application),
    disconnectHost: disconnect,
    listRepositories: list,
  }) as const satisfies Partial<Routes>;

const receive: RouteHandler<OperationOf<'receiveHook'>> = async ({ query }, { ports, delivery }) => {
  const received = await receiveHook(ports, { ...delivery, projectId: query.project_id?.toLowerCase() ?? null });
  return { status: 200, body: { data: received } };
};

/** The route that takes webhooks of the repository host. */
export const hookRoutes = { receiveHook: receive } as const satisfies Partial<Routes>;
