import { type Principal, teamsInSight } from '../access/principal.js';
import type { ListedGateChange } from '../gate-change.js';
import type { Page, PageRequest } from '../page.js';
import type { Ports } from '../ports.js';
import type { Instant } from '../time.js';

/** More unread gate changes than these are not counted. */
const MOST_UNREAD = 100;

/** One page of the gate changes in sight, and what a person has read of all of them. */
interface GateChangeReading extends Page<ListedGateChange> {
  readonly readUpTo: Instant;
  /** How many were noted after that; 100: as many or more. */
  readonly unread: number;
}

interface ListGateChanges {
  readonly principal: Principal;
  readonly page: PageRequest;
}

/** The gate changes of all teams in sight, the one noted last first, and how many of them the person has not read. */
export async function listGateChanges(
  { stores: { gateChanges } }: Pick<Ports, 'stores'>,
  { principal, page }: ListGateChanges,
): Promise<GateChangeReading> {
  const teamIds = teamsInSight(principal);
  const readUpTo = (await gateChanges.readUpTo(principal.userId)) ?? 0;
  const [listed, unread] = await Promise.all([
    gateChanges.page(teamIds, page),
    gateChanges.countAfter(teamIds, readUpTo, MOST_UNREAD),
  ]);
  return { ...listed, readUpTo, unread };
}

interface ReadGateChanges {
  readonly principal: Principal;
  /** A moment that has not come counts as now. */
  readonly upTo: Instant;
}

/** Keeps up to when a person has read the gate changes; an earlier moment makes later ones unread again. */
export async function readGateChanges(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { principal, upTo }: ReadGateChanges,
): Promise<void> {
  await stores.gateChanges.setReadUpTo(principal.userId, Math.min(upTo, clock()));
}
