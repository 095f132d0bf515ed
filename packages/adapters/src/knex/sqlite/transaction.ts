import type { ReleaseEvent } from '@shipworthy/domain';
import type { LocalFeed } from '../../event-feed/local-feed.js';
import { sqlite, type Value } from '../dialect.js';
import type { Access } from '../sql.js';
import { BEGIN, type CarryOut, COMMIT, onConnection, ROLLBACK, type SqliteConnections } from './connection.js';

const run =
  (carryOut: CarryOut) =>
  async <Row>(sql: string, bindings: readonly Value[] = [], name?: string): Promise<readonly Row[]> =>
    (await carryOut(sql, bindings, name)) as readonly Row[];

type Tell = (events: readonly ReleaseEvent[]) => void;

/** All of the work or nothing. `depth` tells transactions within a transaction apart; `tell` is called after its end. */
const within = async <Result>(
  carryOut: CarryOut,
  depth: number,
  tell: Tell,
  work: (inside: Access) => Promise<Result>,
): Promise<Result> => {
  const point = `point_${depth}`;
  const statement = run(carryOut);
  const told: ReleaseEvent[] = [];
  const inside: Access = {
    dialect: sqlite,
    inTransaction: true,
    read: statement,
    write: statement,
    atomically: (part) => within(carryOut, depth + 1, (events) => told.push(...events), part),
    tell: async (events) => void told.push(...events),
  };
  // Begins as a writer: a transaction that reads first and writes later would fail when another one wrote in between.
  await carryOut(depth === 0 ? BEGIN : `savepoint ${point}`);
  try {
    const result = await work(inside);
    await carryOut(depth === 0 ? COMMIT : `release savepoint ${point}`);
    tell(told);
    return result;
  } catch (error) {
    // SQLite refuses a ROLLBACK only where there is nothing to roll back.
    await carryOut(depth === 0 ? ROLLBACK : `rollback to savepoint ${point}`).catch(() => {});
    throw error;
  }
};

/** Access to a SQLite file outside any transaction: writes go one after the other, reads beside them. */
export const sqliteAccess = ({ writer, readers }: SqliteConnections, feed: LocalFeed): Access => ({
  dialect: sqlite,
  inTransaction: false,
  read: (sql, bindings, name) => onConnection(readers, (carryOut) => run(carryOut)(sql, bindings, name)),
  write: (sql, bindings, name) => onConnection(writer, (carryOut) => run(carryOut)(sql, bindings, name)),
  atomically: (work) => onConnection(writer, (carryOut) => within(carryOut, 0, feed.tell, work)),
  tell: async (events) => feed.tell(events),
});
