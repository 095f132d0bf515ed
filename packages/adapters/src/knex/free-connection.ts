import { type RunTime, runTime } from '../clock/index.js';
import { ConnectionLost } from './failure.js';

/** What is used of a pool of connections. */
export interface Pool<Connection> {
  acquire(): { readonly promise: Promise<Connection>; abort(): void };
  release(connection: Connection): unknown;
}

/** For the pool's own limits, which count the time of the clock: they must never be felt before those in run time. */
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** Returns a connection of the pool. Throws ConnectionLost after so many milliseconds of run time in which none was free. */
export const freeConnection = async <Connection>(
  pool: Pool<Connection> | undefined,
  waitMs: number,
  { within }: RunTime = runTime,
): Promise<Connection> => {
  if (pool === undefined) throw new Error('the pool was closed');
  const asked = pool.acquire();
  return within(waitMs, asked.promise, () => {
    asked.abort();
    // One that was given in the very same turn is not wanted any more.
    asked.promise.then(
      (connection) => pool.release(connection),
      () => {},
    );
    throw new ConnectionLost(`no connection was free for ${waitMs} ms`);
  });
};
