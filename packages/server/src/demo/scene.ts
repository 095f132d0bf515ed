import { uuidv7 } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { type Actor, type Instant, type Ports, recordHistory, SCOPES } from '@shipworthy/domain';

/** What a demo is made with. */
export type DemoPorts = Pick<Ports, 'stores' | 'clock'>;

/** What the use cases of a demo are given. */
export type ScenePorts = Pick<Ports, 'stores' | 'lookups' | 'reports' | 'receipts' | 'clock' | 'newId'>;

/** A project whose past is being played: its clock is set back and moves on from event to event. */
export interface Scene {
  readonly ports: ScenePorts;
  readonly place: { readonly by: Actor; readonly teamId: string; readonly projectId: string };
  readonly appName: string;
  /** Does what happened so many days ago; what moved by it gets its place in the trend. */
  daysAgo<Result>(days: number, happen: () => Promise<Result>): Promise<Result>;
}

const DAY = 24 * 3_600_000;
const LEASE_MS = 1_000;

/** Whoever did all this; no person is named, since nobody did. */
const actorOf = (userId: string, teamId: string, now: Instant): Actor => ({
  principal: {
    kind: 'session',
    id: teamId,
    userId,
    name: 'Demo',
    scopes: SCOPES,
    roles: new Map([[teamId, 'owner']]),
    administrator: false,
    expiresAt: now,
  },
  address: '',
  requestId: '',
});

/** The beginning of a demo, within a transaction: a team of its own, marked as such, with its owners and one project. */
export const openScene = async (
  stores: Ports['stores'],
  present: Instant,
  owners: readonly string[],
  names: { readonly team: string; readonly project: string; readonly createdDaysAgo: number },
): Promise<Scene> => {
  const createdAt = present - names.createdDaysAgo * DAY;
  let now = createdAt;
  const clock = () => now;
  const newId = uuidv7(clock);
  const teamId = newId();
  const [first, ...others] = owners.map((userId) => ({ teamId, userId, role: 'owner', createdAt }) as const);
  if (first === undefined) throw new TypeError('A demo needs an owner.');
  await stores.teams.create({ id: teamId, name: names.team, slug: 'demo', version: 1, createdAt, demo: true }, first);
  for (const membership of others) await stores.teams.addMember(membership);
  const { project: name } = names;
  const { id: projectId } = await stores.projects.create({
    id: newId(),
    teamId,
    name,
    slug: name,
    version: 1,
    createdAt,
  });
  const reports = reportQueue(stores.reports);
  const ports = { stores, lookups: lookups(stores), reports, receipts: { notCounted: () => undefined }, clock, newId };
  const record = recordHistory(ports);
  return {
    ports,
    place: { by: actorOf(first.userId, teamId, present), teamId, projectId },
    appName: name,
    daysAgo: async (days, happen) => {
      now = present - Math.round(days * DAY);
      const result = await happen();
      await record({ limit: 10, leaseMs: LEASE_MS, projectId });
      return result;
    },
  };
};
