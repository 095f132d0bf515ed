import { PatientClient } from './postgres-driver.js';
import type { Probe } from './silence.js';

/** How connections are called at the server. */
export const CONNECTION_NAME = 'shipworthy';

/** How to reach a server, and how long making a connection may take, in milliseconds of run time. */
interface Way {
  readonly connectionString: string;
  readonly connectMs: number;
}

/** What the driver's types leave out: the server's process behind a connection. */
interface Connected {
  readonly processID: number | null;
}

const WORKING = `
  select pid, pg_backend_pid() as own from pg_stat_activity
  where pid = pg_backend_pid() or (pid = any($1) and state = 'active')`;
const STUCK = `
  with recursive waits as (
    select process, blocker from unnest($1::integer[]) as process, unnest(pg_blocking_pids(process)) as blocker
    union
    select process, next from waits, unnest(pg_blocking_pids(blocker)) as next)
  select distinct process as pid from waits
  where not exists (
    select from pg_stat_activity where pid = blocker and application_name = '${CONNECTION_NAME}')`;
const CANCEL = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any($1) and application_name = '${CONNECTION_NAME}' and wait_event_type = 'Lock'`;
const END = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and application_name = '${CONNECTION_NAME}'`;

type Ask = <Row extends object>(statement: string, processes: readonly number[]) => Promise<readonly Row[]>;

/** Asks on a connection of its own; each question may take as long as making the connection. */
const asking = async <Result>(
  { connectionString, connectMs }: Way,
  work: (ask: Ask, own: number | null) => Promise<Result>,
): Promise<Result> => {
  const limits = { connectMs, answerMs: connectMs };
  const client = new PatientClient({ connectionString, application_name: `${CONNECTION_NAME}-probe`, ...limits });
  // Its failures come by what it is asked, and what comes later concerns nobody.
  client.on('error', () => {});
  try {
    await client.reach();
    const ask: Ask = <Row extends object>(statement: string, processes: readonly number[]) =>
      client.ask<Row>(statement, [processes]);
    return await work(ask, (client as unknown as Connected).processID);
  } finally {
    void client.end().catch(() => {});
  }
};

const pidsIn = (rows: readonly { readonly pid: number }[]): ReadonlySet<number> => new Set(rows.map(({ pid }) => pid));

/** Probes of a server, each on a connection of its own. */
export const probeOf = (way: Way): Probe => ({
  look: (processes) =>
    asking(way, async (ask, own) => {
      const working = await ask<{ pid: number; own: number }>(WORKING, processes);
      // Behind a pool of connections of its own the numbers of processes are made up.
      if (working[0]?.own !== own) return null;
      return { working: pidsIn(working), stuck: pidsIn(await ask<{ pid: number }>(STUCK, processes)) };
    }),
  cancel: (processes) => asking(way, async (ask) => void (await ask(CANCEL, processes))),
  end: (processes) => asking(way, async (ask) => void (await ask(END, processes))),
});
