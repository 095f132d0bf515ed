import { addressKey, changePassword, type OpenedSession, setUp, signIn, signOut } from '@shipworthy/domain';
import { unauthenticated } from '../http/authentication.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireUser } from '../wire/user.js';
import { actorOf } from './actor.js';

/** What answers with a session that was just opened: the person in the body, the secret in the cookie alone; the device is known from now on. */
export const openedReply = ({ user, session, secret }: OpenedSession) =>
  ({
    body: { data: { user: wireUser(user) } },
    session: { set: { secret, expiresAt: session.expiresAt } },
    device: { account: addressKey(user.email) },
  }) as const;

const setUpWith =
  (expected: string): Route<OperationOf<'setUp'>> =>
  async ({ body }, { ports, address, requestId }) => {
    const { setup_token: given, ...person } = body;
    const opened = await setUp(ports)({
      setupToken: { given, expected },
      ...person,
      origin: { address, requestId },
    });
    return { status: 201, ...openedReply(opened) };
  };

const open: Route<OperationOf<'signIn'>> = async (
  { body },
  { ports, address, requestId, shownSession, shownDevice },
) => {
  const replaces = await shownSession();
  const device = shownDevice(addressKey(body.email));
  const opened = await signIn(ports)({ ...body, origin: { address, requestId }, device, replaces });
  return { status: 200, ...openedReply(opened) };
};

const read: Route<OperationOf<'readSession'>> = async (_, { ports, principal }) => {
  const user = await ports.stores.users.byId(principal.userId);
  if (user === undefined) throw unauthenticated('Whose session it is has no account here.');
  return { status: 200, body: { data: { user: wireUser(user) } } };
};

const close: Route<OperationOf<'signOut'>> = async (_, context) => {
  await signOut(context.ports)({ by: actorOf(context) });
  return { status: 204, session: { clear: true } };
};

const change: Route<OperationOf<'changePassword'>> = async ({ body }, context) => {
  const { current_password: oldPassword, new_password: newPassword } = body;
  const deviceOf = (email: string) => context.shownDevice(addressKey(email));
  await changePassword(context.ports)({ by: actorOf(context), oldPassword, newPassword, deviceOf });
  return { status: 204 };
};

/** First administrator, signing in and out, passwords. `setupToken` lets the first administrator in. */
export const sessionRoutes = (setupToken: string) =>
  ({
    setUp: setUpWith(setupToken),
    signIn: open,
    readSession: read,
    signOut: close,
    changePassword: change,
  }) as const satisfies Partial<Routes>;
