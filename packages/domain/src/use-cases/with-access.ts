import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { HostAccess } from '../repository/host-account.js';
import type { HostConnection } from '../repository/host-connection.js';
import { accessOf, type HostPorts, isRefusal } from './in-connection.js';
import { markRejected, renewGrant } from './renew-grant.js';

/** A grant that ends within so many milliseconds is renewed before it is used: 1 minute. */
export const RENEW_WITHIN = 60_000;

const ends = ({ grant: { expiresAt } }: HostConnection, now: Instant): boolean =>
  expiresAt !== null && expiresAt - now <= RENEW_WITHIN;

/** The connection with a grant other than the refused one; undefined: there is none, and it is marked as refused. */
const afterRefusal = async (
  ports: HostPorts,
  refused: HostConnection,
  deadline: Instant,
): Promise<HostConnection | undefined> => {
  // A grant that can be renewed may just have been, elsewhere, or the host's clock is ahead; only the host knows.
  if (refused.grant.expiresAt !== null) return renewGrant(ports, refused, deadline);
  return markRejected(ports, refused);
};

/**
 * Does the work, which only reads and may be done twice, with a grant that is good for a minute at least; it is renewed by
 * one caller at a time, on however many instances. Not inside a transaction.
 * A connection whose grant the host refuses is marked `rejected`, unless it holds another one by then.
 * @throws DomainError `host-rejected`, `host-not-connected`, `host-not-configured`, `host-unavailable`, what the work throws
 */
export const withAccess = async <Result>(
  ports: HostPorts,
  connection: HostConnection,
  deadline: Instant,
  work: (access: HostAccess) => Promise<Result>,
): Promise<Result> => {
  const fresh = ends(connection, ports.clock()) ? await renewGrant(ports, connection, deadline) : connection;
  try {
    return await work(accessOf(fresh, deadline));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const other = await afterRefusal(ports, fresh, deadline);
    if (other === undefined) throw error;
    try {
      return await work(accessOf(other, deadline));
    } catch (again) {
      if (!isRefusal(again) || (await markRejected(ports, other)) === undefined) throw again;
      // It was renewed elsewhere both times while it was in use: what was refused is not what is stored.
      throw new DomainError('host-unavailable', 'The connection was being renewed; ask again.', { cause: 'timeout' });
    }
  }
};
