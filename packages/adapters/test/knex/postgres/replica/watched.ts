import { type Database, openDatabase } from '../../../../src/knex/database.js';
import { type Replica, type ReplicaRead, readingAccess } from '../../../../src/knex/postgres/replica.js';
import type { FollowedDatabase } from '../../../postgres/followed.js';

/** What became of reads, by how often; and of the replica, as `unfit: cause` and `fit`. */
type Seen = Partial<Record<ReplicaRead | `unfit: ${string}` | 'fit', number>>;

/** The reads of a database on its replica, with what becomes of them. */
export const watch = ({ access }: Database, replica: Replica) => {
  let seen: Seen = {};
  const add = (what: keyof Seen): void => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  replica.watch({ read: add, changed: (cause) => add(cause === null ? 'fit' : `unfit: ${cause}`) });
  const { read } = readingAccess(access, replica);
  return {
    read,
    /** What was seen since it was asked last. */
    seen: (): Seen => {
      const since = seen;
      seen = {};
      return since;
    },
    count: async (): Promise<number | undefined> => (await read<{ n: number }>('select n from counter'))[0]?.n,
  };
};

/** One instance on both. */
export const opened = async (where: FollowedDatabase) => {
  const database = await openDatabase(where);
  if (database.replica === null) throw new Error('no replica');
  const replica = database.replica;
  return {
    ...watch(database, replica),
    replica,
    store: (n: number) => database.access.write('update counter set n = ?', [n]),
    close: () => database.close(),
  };
};
export type Instance = Awaited<ReturnType<typeof opened>>;
