import { firstIdAt, monthAfter, monthOf, type Partitioned, pastOf } from './partitioned-tables.js';

/** What the partitions of a table share with it: indexes and references, under the names the whole table had. */
interface Definition {
  readonly indexes: Readonly<Record<string, string>>;
  readonly references: Readonly<Record<string, string>>;
}

const PROJECT = 'foreign key (project_id) references projects (id)';

export const DEFINITIONS: Readonly<Record<Partitioned, Definition>> = {
  deployments: {
    indexes: {
      deployments_newest: '(project_id, started_at, id) include (environment, status)',
      deployments_returns: '(project_id, started_at) include (environment, status) where is_return = 1',
      deployments_late: '(project_id, started_at, id) where late = 1',
    },
    references: { deployments_project_id_fkey: PROJECT },
  },
  test_runs: {
    indexes: {
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

/** A partition that is not attached yet. Indexes, references and the trigger come when it is. */
export const emptyPartition = (table: Partitioned, partition: string): readonly string[] => [
  `create table ${partition} (like ${table} including defaults including storage including constraints)`,
  externalIndex(partition),
];

/** Attaches a month's partition. */
export const attachMonth = (table: Partitioned, month: number): string =>
  `alter table ${table} attach partition ${monthOf(table, month)}
    for values from ('${firstIdAt(month)}') to ('${firstIdAt(monthAfter(month, 1))}')`;

/** Where external ids stand that came since the tables were partitioned: one may come again in another month. */
export const EXTERNAL_IDS = `create table if not exists partition_external_ids (
  kind text not null, project_id uuid not null, external_id text collate "C" not null, record_id uuid not null,
  primary key (project_id, kind, external_id))`;

/** A record whose external id is known is not stored, without a word, as a conflict that is met with nothing; see the insertion. */
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
