import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { EndingGrant } from '../repository/host-connection.js';
import { HOST_ANSWERS_WITHIN, isRefusal, requireHost } from './in-connection.js';
import { REVOKE_AGAIN_AFTER } from './revoke-due.js';

type EndPorts = Pick<Ports, 'stores' | 'clock' | 'repositoryHost'>;

/** Keeps a grant that another one takes the place of, so that it is ended whatever happens from now on. */
export const keepFormer = (
  { hostConnections }: Pick<Stores, 'hostConnections'>,
  { userId, host, grant }: EndingGrant,
  now: Instant,
): Promise<void> => hostConnections.keepEnding({ userId, host, grant }, now + REVOKE_AGAIN_AFTER);

/** Ends a kept grant at the host and forgets it; false: the host cannot be reached, and it stays kept. */
export const endFormer = async (
  { stores, ...ports }: EndPorts,
  { userId, host, grant }: EndingGrant,
  deadline: Instant,
): Promise<boolean> => {
  const { authorization } = requireHost(ports, host);
  try {
    await authorization.revoke({ ownerId: userId, grant, deadline });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'host-unavailable') return false;
    // What the host refuses is of no use to anybody any more.
    if (!isRefusal(error)) throw error;
  }
  await stores.hostConnections.removeEnding({ userId, host, grant });
  return true;
};

/** Ends one kept grant that is due; false: none is. One that could not be ended is due again after 5 minutes. */
export const endFormerDue = async (ports: EndPorts): Promise<boolean> => {
  const { name } = requireHost(ports);
  const ending = await ports.stores.hostConnections.claimEnding(name, ports.clock(), REVOKE_AGAIN_AFTER);
  if (ending !== undefined) await endFormer(ports, ending, ports.clock() + HOST_ANSWERS_WITHIN);
  return ending !== undefined;
};
