import type { ReleaseEvent } from '@shipworthy/domain';
import type { Knex } from 'knex';
import { asJson, citus, postgres, type Value } from '../dialect.js';
import { ConnectionLost } from '../errors.js';
import type { Access } from '../sql.js';
import { type CarryOut, isOnCluster, type Link, onConnection, type Statement } from './connection.js';
import { EVENT_CHANNEL, keepEvents } from './feed.js';

const numbered = new Map<string, string>();

/**
 * Numbers the places of a statement, as the protocol wants it. Keeps the texts: few, since they never depend on values.
 */
const withNumbers = (sql: string): string => {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let place = 0;
  const text = sql.replaceAll('?', () => {
    place += 1;
    return `$${place}`;
  });
  numbered.set(sql, text);
  return text;
};

/** A statement of ours in the form the driver takes. */
export const driverStatement = (sql: string, values: readonly Value[] = [], name?: string): Statement => ({
  text: withNumbers(sql),
  values,
  name,
});

const run =
  (carryOut: CarryOut) =>
  async <Row>(sql: string, values?: readonly Value[], name?: string): Promise<readonly Row[]> =>
    (await carryOut(driverStatement(sql, values, name))) as readonly Row[];

/** Sends events. PostgreSQL delivers them at the commit, and drops those of what is rolled back. */
const publish =
  (write: Access['write'], areKept: boolean) =>
  async (events: readonly ReleaseEvent[]): Promise<void> => {
    for (const event of events) await write('select pg_notify(?, ?)', [EVENT_CHANNEL, asJson(event)], 'tell');
    if (areKept) await keepEvents(write, events);
  };

/** How a transaction is carried out. */
interface TransactionLink {
  readonly link: Link;
  /** Whether to store events for instances that cannot listen. */
  readonly keepsEvents: boolean;
}

/** Does all of the work or nothing: in a transaction or (`depth` > 0) a savepoint. */
const within = async <Result>(
  transaction: TransactionLink,
  depth: number,
  work: (inside: Access) => Promise<Result>,
): Promise<Result> => {
  const { carryOut, begin, isPooled, isCluster } = transaction.link;
  const point = `point_${depth}`;
  const statement = run(carryOut);
  const inside: Access = {
    dialect: isCluster ? citus : postgres,
    inTransaction: true,
    reached: () => null,
    read: statement,
    write: statement,
    atomically: (part) => within(transaction, depth + 1, part),
    publish: publish(statement, isPooled && transaction.keepsEvents),
  };
  const begun = carryOut({ text: depth === 0 ? begin : `savepoint ${point}` });
  // The first statement follows at once; where no transaction could begin, it cannot succeed either.
  begun.catch(() => {});
  try {
    const result = await work(inside);
    await begun;
    // When the database has given the transaction up, `select 1` fails; COMMIT alone would be answered without an error.
    await carryOut({ text: depth === 0 ? 'select 1; commit' : `select 1; release savepoint ${point}` });
    return result;
  } catch (error) {
    // If the rollback fails, too, the connection is not used again.
    await carryOut({ text: depth === 0 ? 'rollback' : `rollback to savepoint ${point}` }).catch(() => {});
    throw error;
  }
};

/**
 * Removes the server's time limit for later statements of the transaction, so that they wait for a lock until the instance that
 * has it lets go. A lock of another program still ends the wait, by `SilenceWatch`. Does nothing on SQLite, which has one writer.
 */
export const waitForHolders = async ({ dialect, write }: Access): Promise<void> => {
  if (dialect.name === 'postgres') await write('set local statement_timeout = 0');
};

/**
 * Makes PostgreSQL check often whether the process that began the transaction is still connected. If it was killed, PostgreSQL
 * cancels the running statement and frees the locks at once; otherwise they are held until a long statement ends. Changes
 * nothing where the server cannot check this.
 */
export const endWithClient = async ({ write }: Access): Promise<void> => {
  await write(
    `do $$ begin perform set_config('client_connection_check_interval', '500', true); exception when others then null; end $$`,
  );
};

/** Throws ConnectionLost on a PostgreSQL server that only reads, which the address may allow. */
export const requireWritable = async ({ dialect, read }: Access): Promise<void> => {
  if (dialect.name === 'sqlite') return;
  const [row] = await read<{ only_reads: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as only_reads`,
  );
  if (row?.only_reads === true) throw new ConnectionLost('the server of the database only reads');
};

/**
 * Access to PostgreSQL outside any transaction. Through a pooler each statement has a transaction of its own, with its
 * limits.
 * @param keepsEvents whether events that are sent through a pooler are stored for instances that cannot listen
 */
export const postgresAccess = (pool: Knex, keepsEvents = true): Access => {
  const statement = <Row>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[]> =>
    onConnection(pool, (link) =>
      link.isPooled
        ? within({ link, keepsEvents }, 0, (inside) => inside.write<Row>(sql, bindings))
        : run(link.carryOut)<Row>(sql, bindings, name),
    );
  const atomically: Access['atomically'] = (work) =>
    onConnection(pool, (link) => within({ link, keepsEvents }, 0, work));
  return {
    get dialect() {
      return isOnCluster(pool) === true ? citus : postgres;
    },
    reached: () => (isOnCluster(pool) === null ? onConnection(pool, async () => {}) : null),
    inTransaction: false,
    read: statement,
    write: statement,
    atomically,
    publish: (events) => atomically((inside) => inside.publish(events)),
  };
};
