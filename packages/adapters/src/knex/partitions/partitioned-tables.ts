import type { Access } from '../access.js';

/** The tables that are partitioned by the time their records came, which every id begins with. */
export const PARTITIONED = ['deployments', 'test_runs'] as const;
export type Partitioned = (typeof PARTITIONED)[number];

/** Whoever makes, moves or drops partitions holds this lock; any number will do, as long as all take the same. */
export const PARTITION_LOCK = 7_390_214_882;

/** How far before it came a record may say that it began, in milliseconds: the lead that clocks are allowed. */
export const LEAD = 5 * 60_000;

/** The partitions every table has beside its months: what was there before, and what fits in no month. */
export const pastOf = (table: Partitioned): string => `${table}_past`;
export const defaultOf = (table: Partitioned): string => `${table}_default`;

/** The first id of the moment: ids are UUIDs of version 7, so all that came before then are smaller. */
export const firstIdAt = (at: number): string => {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

/** The moment whose first id it is. */
export const momentOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** Start of the UTC month so many months later. */
export const monthAfter = (at: number, months: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

/** The name of a month's partition. */
export const monthOf = (table: Partitioned, month: number): string =>
  `${table}_${new Date(month).toISOString().slice(0, 7).replace('-', '')}`;

/** A partition with the moment everything in it came before. */
export interface Partition {
  readonly table: Partitioned;
  readonly name: string;
  readonly until: number;
}

/** All partitions but the default ones, the oldest first; none while the tables are whole, or on another database. */
export const partitionsOf = async ({ dialect, read }: Access): Promise<readonly Partition[]> => {
  if (dialect.name === 'sqlite') return [];
  const rows = await read<{ parent: Partitioned; name: string; bound: string }>(
    `select t.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class t on t.oid = i.inhparent
      where i.inhparent in (to_regclass('deployments'), to_regclass('test_runs'))`,
  );
  return rows
    .flatMap(({ parent, name, bound }) => {
      const [, id] = /TO \('([0-9a-f-]{36})'\)$/.exec(bound) ?? [];
      return id === undefined ? [] : [{ table: parent, name, until: momentOfId(id) }];
    })
    .toSorted((a, b) => a.until - b.until || (a.name < b.name ? -1 : 1));
};
