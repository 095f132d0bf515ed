import { secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { memoryStores } from '@shipworthy/adapters/memory';
import type { TeamActor } from '../../src/access/principal.js';
import { inOnePiece, type Ports } from '../../src/ports.js';
import type { Role } from '../../src/team.js';
import { principal } from '../access/principal-of.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** All the use cases need, in memory, with a clock that stops until it is moved. */
export interface World extends Ports {
  readonly time: { now: number };
}

export const world = (): World => {
  const time = { now: Date.UTC(2026, 0, 5, 12) };
  const clock = () => time.now;
  const stores = memoryStores();
  return {
    stores,
    feed: stores.feed,
    time,
    clock,
    // Time passes by itself only during a pause.
    pause: async (ms) => {
      time.now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    slices: inOnePiece,
    newId: uuidv7(clock),
    hookSender: hookSender({ secretKey: new Uint8Array(32) }),
    secrets: secrets({ cost: { ln: 4, r: 8, p: 1 } }),
    verdicts: verdictSigner({ secretKey: new Uint8Array(32) }),
    reports: reportQueue(stores.reports),
    lookups: lookups(stores),
    receipts: { notCounted: () => undefined },
    deliveryLog: { tried: () => undefined, ended: () => undefined, disabled: () => undefined },
    repositoryHost: null,
  };
};

/** Stores a person and answers them as an actor with these roles, whose commands need no more than seeing the team. */
export const person = async (
  { stores, newId, clock }: Ports,
  name: string,
  roles: Readonly<Record<string, Role>> = {},
): Promise<TeamActor> => {
  const userId = newId();
  const user = {
    id: userId,
    email: `${name.toLowerCase()}@example.com`,
    name,
    emailVerified: true,
    administrator: false,
    createdAt: clock(),
    disabledAt: null,
  };
  await stores.users.create(user, '');
  const who = principal(roles, { id: newId(), userId, name });
  return { principal: who, address: '192.0.2.7', requestId: 'request-1', needs: 'viewer' };
};

/** The actor with other roles. */
export const withRoles = (actor: TeamActor, roles: Readonly<Record<string, Role>>): TeamActor => ({
  ...actor,
  principal: { ...actor.principal, roles: new Map(Object.entries(roles)) },
});

/** The actor with a command that needs that role. */
export const needing = (needs: Role, actor: TeamActor): TeamActor => ({ ...actor, needs });

/** The newest entry of a team's audit log: the deed without who, when and where from. */
export const lastDeed = async ({ stores }: Ports, teamId: string) => {
  const { rows } = await stores.audit.page({ teamId }, { limit: 1, after: null });
  return rows.map(({ action, resource, detail }) => ({ action, resource, detail }))[0];
};

/** The actions of a team's audit log, oldest first. */
export const actions = async ({ stores }: Ports, teamId: string): Promise<readonly string[]> => {
  const { rows } = await stores.audit.page({ teamId }, { limit: 200, after: null });
  return rows.map((entry) => entry.action).reverse();
};
