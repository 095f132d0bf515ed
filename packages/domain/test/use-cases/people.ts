import type { Origin } from '../../src/access/principal.js';
import type { Ports } from '../../src/ports.js';
import { setUp, signIn } from '../../src/use-cases/account.js';
import { acceptInvitation } from '../../src/use-cases/invitation.js';
import { type World, world } from './world.js';

export const PASSWORD = 'correct horse battery';
export const origin: Origin = { address: '192.0.2.7', requestId: 'request-1' };

/** Sets the service up with Ada as its first administrator. */
export const settingUp = (here: World, given = 'token-1', password = PASSWORD, email = 'Ada@example.com') =>
  setUp(here, { setupToken: { given, expected: 'token-1' }, email, name: 'Ada', password, origin });

/** A service that Ada has set up. */
export const serviceScene = async () => {
  const here = world();
  return { ...here, opened: await settingUp(here) };
};

export const signingIn = (
  here: World,
  over: { email?: string; password?: string; address?: string; device?: string; replaces?: string } = {},
) =>
  signIn(here, {
    email: over.email ?? 'ada@example.com',
    password: over.password ?? PASSWORD,
    origin: { ...origin, address: over.address ?? origin.address },
    device: over.device ?? null,
    replaces: over.replaces ?? null,
  });

/** The scene in which that happens once while the next password is verified, which takes a while. */
export const whileVerifying = <Here extends World>(here: Here, happening: () => Promise<unknown>): Here => {
  let isNext = true;
  const verifyPassword: Ports['secrets']['verifyPassword'] = async (...given) => {
    const right = await here.secrets.verifyPassword(...given);
    if (isNext) {
      isNext = false;
      await happening();
    }
    return right;
  };
  return { ...here, secrets: { ...here.secrets, verifyPassword } };
};

export const accepting = (
  here: World,
  secret: string,
  email = 'ben@example.com',
  password = PASSWORD,
  address = origin.address,
) => acceptInvitation(here, { secret, email, name: 'Ben', password, origin: { ...origin, address } });
