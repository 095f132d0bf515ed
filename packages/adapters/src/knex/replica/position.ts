import { groupCommit } from '../../group-commit/index.js';
import type { Access } from '../access.js';

/** Up to where the log of changes holds what is committed, and the log of which database that is. */
export interface Position {
  /** Database, cluster and timeline: positions are comparable only within one. */
  readonly log: string;
  readonly lsn: string;
}

// What is seen is on disk, unless the server was told not to wait for that: then it is somewhere before the next change.
const POSITION = `select current_database() || ' ' || (select system_identifier from pg_control_system())
    || ' ' || left(pg_walfile_name(lsn), 8) as log, lsn::text as lsn
  from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as lsn) as newest`;

const ask = async (primary: Access): Promise<Position> => {
  const [position] = await primary.read<Position>(POSITION, [], 'log_position');
  if (position === undefined) throw new Error('The database did not answer where its log ends.');
  return position;
};

/**
 * Answers a position behind everything that was committed when it was asked for. One statement answers all who ask while
 * others are under way.
 */
export const newestPosition = (primary: Access): (() => Promise<Position>) => {
  const asked = groupCommit<undefined, Position>(
    async (askers) => {
      const position = await ask(primary);
      return askers.map(() => position);
    },
    { lanes: 2, maxItems: 10_000 },
  );
  return () => asked.submit(undefined);
};
