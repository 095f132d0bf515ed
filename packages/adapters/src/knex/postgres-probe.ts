import pg from 'pg';
import type { Probe } from './silence.js';

/** How connections are called at the server. */
export const CONNECTION_NAME = 'shipworthy';

/** How to reach a server, and how long making a connection may take, in milliseconds. */
interface Way {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
}

/** What the driver's types leave out: the server's process behind a connection. */
interface Connected {
  readonly processID: number | null;
}

const WORKING = `
  select pid, pg_backend_pid() as own from pg_stat_activity
  where pid = pg_backend_pid() or (pid = any($1) and state = 'active')`;
const END = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and application_name = '${CONNECTION_NAME}' and state <> 'active'`;

/** Asks something on a connection of its own, within the time one may take to be made. */
const asked = async <Row extends object>(
  { connectionString, connectionTimeoutMillis }: Way,
  statement: string,
  processes: readonly number[],
): Promise<{ readonly rows: readonly Row[]; readonly process: number | null }> => {
  const limits = { connectionTimeoutMillis, query_timeout: connectionTimeoutMillis };
  const client = new pg.Client({ connectionString, application_name: `${CONNECTION_NAME}-probe`, ...limits });
  // Its failures come by what it is asked, and what comes later concerns nobody.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Row>(statement, [processes]);
    return { rows, process: (client as unknown as Connected).processID };
  } finally {
    void client.end().catch(() => {});
  }
};

/** Probes of a server, each on a connection of its own. */
export const probeOf = (of: Way): Probe => ({
  working: async (processes) => {
    const { rows, process } = await asked<{ pid: number; own: number }>(of, WORKING, processes);
    // Behind a pool of connections of its own the numbers of processes are made up.
    return rows[0]?.own === process ? new Set(rows.map(({ pid }) => pid)) : null;
  },
  end: async (processes) => void (await asked(of, END, processes)),
});
