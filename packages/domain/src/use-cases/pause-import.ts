import type { Instant } from '../instant.js';
import type { ImportTurn } from './import-page.js';
import { amend } from './in-connection.js';

/** A link may wait so many milliseconds beyond its due moment before what it imported counts as old: 15 minutes. */
export const SHORT_PAUSE = 900_000;

/** Leaves the host alone with this connection until then. */
export const pauseUntil = async ({ ports, claim }: ImportTurn, until: Instant): Promise<void> => {
  const { userId, host } = claim.connection;
  const current = await ports.stores.hostConnections.of(userId, host);
  if (current === undefined) return;
  await amend(ports.stores, current, ({ pausedUntil }) => ({ pausedUntil: Math.max(until, pausedUntil ?? until) }));
};

/**
 * Pauses although nothing failed, since little of the host's budget is left. What waits for longer than `SHORT_PAUSE` beyond
 * its due moment is as of its last run from now on.
 */
export const pauseForBudget = async (turn: ImportTurn, until: Instant): Promise<void> => {
  const { stores, clock } = turn.ports;
  await pauseUntil(turn, until);
  for (const { link, state } of await stores.repositoryLinks.ofConnection(turn.claim.connection))
    if (until - state.dueAt > SHORT_PAUSE)
      await stores.repositoryLinks.setStale(link.projectId, state.completedAt, clock());
};
