// SQL by hand: the catalogue of PostgreSQL tells which partitions there are.
import { floorOf, HOUR } from '../reports/deployment-counts-sql.js';
import type { Access } from '../sql.js';

/** The tables that are partitioned by the time their records came, with which every id begins. */
export const PARTITIONED = ['deployments', 'test_runs'] as const;
export type Partitioned = (typeof PARTITIONED)[number];

/** The lock for making, moving or dropping partitions; an arbitrary number that all instances share. */
export const PARTITION_LOCK = 7_390_214_882;

/** How long a statement waits for a lock before it gives up; reports wait behind it. */
export const LOCK_WAIT = '3s';

/** Names of partitions beside the months: for rows from before partitioning, and for rows that fit no month. */
export const pastOf = (table: Partitioned): string => `${table}_past`;
export const defaultOf = (table: Partitioned): string => `${table}_default`;

/** The smallest id of a moment: ids are UUIDs of version 7, so all ids from before are smaller. */
export const firstIdAt = (at: number): string => {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

/** The moment that an id begins with, in milliseconds since 1970. */
export const momentOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** The start of the UTC month that is `months` after the month of `at`. */
export const monthAfter = (at: number, months: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

/** The name of a month's partition. */
export const monthOf = (table: Partitioned, month: number): string =>
  `${table}_${new Date(month).toISOString().slice(0, 7).replace('-', '')}`;

/** A partition; all its records came before the moment `until`. */
export interface Partition {
  readonly table: Partitioned;
  readonly name: string;
  readonly until: number;
}

/** Returns all partitions but the default ones, oldest first; none when tables are not partitioned, or on SQLite. */
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

/** What the partitions of a table share with it: indexes and references, under the names from before partitioning. */
interface Definition {
  readonly indexes: Readonly<Record<string, string>>;
  readonly references: Readonly<Record<string, string>>;
}

const PROJECT = 'foreign key (project_id) references projects (id)';

export const DEFINITIONS: Readonly<Record<Partitioned, Definition>> = {
  deployments: {
    indexes: {
      deployments_id: '(id)',
      deployments_newest: '(project_id, started_at, id) include (environment, status)',
      deployments_returns: '(project_id, started_at) include (environment, status) where is_return = 1',
      deployments_late: '(project_id, started_at, id) where late = 1',
    },
    references: { deployments_project_id_fkey: PROJECT },
  },
  test_runs: {
    indexes: {
      test_runs_id: '(id)',
      test_runs_project: '(project_id, ran_at, recorded_at, id)',
      test_runs_release: '(release_id, ran_at, recorded_at, id)',
    },
    references: {
      test_runs_project_id_fkey: PROJECT,
      test_runs_release_id_fkey: 'foreign key (release_id) references releases (id)',
    },
  },
};

/** External ids are unique in each partition by an index of its own, and among partitions by the table that the trigger fills. */
const externalIndex = (partition: string): string =>
  `create unique index ${partition}_external on ${partition} (project_id, external_id) where external_id is not null`;

/** The statements that make a partition without attaching it. Attaching it adds indexes, references and the trigger. */
export const emptyPartition = (table: Partitioned, partition: string): readonly string[] => [
  `create table ${partition} (like ${table} including defaults including storage including constraints)`,
  externalIndex(partition),
];

export const attachMonth = (table: Partitioned, month: number): string =>
  `alter table ${table} attach partition ${monthOf(table, month)}
    for values from ('${firstIdAt(month)}') to ('${firstIdAt(monthAfter(month, 1))}')`;

/** The external ids since partitioning: the indexes cannot refuse one that comes again in another month. */
export const EXTERNAL_IDS = `create table if not exists partition_external_ids (
  kind text not null, project_id uuid not null, external_id text collate "C" not null, record_id uuid not null,
  primary key (project_id, kind, external_id))`;

/** The trigger skips a record whose external id is known, without an error, as `on conflict do nothing` does. */
export const externalTriggers = (table: Partitioned): readonly string[] => [
  `create or replace function ${table}_external_id() returns trigger language plpgsql as $body$
    begin
      if tg_op = 'DELETE' then
        delete from partition_external_ids e
          where e.kind = '${table}' and e.project_id = old.project_id and e.external_id = old.external_id and e.record_id = old.id;
        return null;
      end if;
      if to_regclass('${pastOf(table)}') is not null then
        if exists (select 1 from ${pastOf(table)} p where p.project_id = new.project_id and p.external_id = new.external_id) then
          return null;
        end if;
      end if;
      insert into partition_external_ids (kind, project_id, external_id, record_id)
        values ('${table}', new.project_id, new.external_id, new.id) on conflict do nothing;
      if not found then return null; end if;
      return new;
    end $body$`,
  `create trigger ${table}_external_come before insert on ${table} for each row when (new.external_id is not null)
    execute function ${table}_external_id()`,
  `create trigger ${table}_external_gone after delete on ${table} for each row when (old.external_id is not null)
    execute function ${table}_external_id()`,
];

const DAY = 24 * HOUR;

/**
 * The moment from which the deployments of a project `p` are kept when those before `v.before` are removed, in milliseconds
 * since 1970: `v.before`, or the start of the day in which its first open release begins if that is earlier.
 */
export const keptFrom = ({ dialect: { least, milliseconds } }: Access): string => {
  const first = `(select min(r.starts_at) from releases r where r.project_id = p.id and r.state in ('planned', 'active'))`;
  return `${floorOf(`${least}(v.before, coalesce(${milliseconds(first)}, v.before))`, DAY)} * ${DAY}`;
};
