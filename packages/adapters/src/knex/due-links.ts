import type { Instant } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { asJson } from './well-formed.js';

interface DueRow {
  readonly id: string;
  readonly due_at: number;
  readonly running: number;
  readonly hurried: number;
  readonly suspects: string;
}

const KINDS = { id: 'id', due_at: 'moment', hurried: 'integer', suspects: 'json' } as const;

/**
 * Makes the links that meet the condition due, in two statements, and answers how many they are. One that is due by then
 * already becomes due a millisecond earlier than it was: so whoever is at it sees that it was asked for once more.
 */
export const makeDue = (
  access: Access,
  condition: string,
  bindings: readonly Value[],
  { dueAt, suspects = [] }: { readonly dueAt: Instant; readonly suspects?: readonly string[] },
): Promise<number> =>
  access.atomically(async (inside) => {
    const { forUpdate, moment, rowset } = inside.dialect;
    const rows = await inside.write<DueRow>(
      `select id, due_at, case when running_since is null then 0 else 1 end as running, hurried, suspects
        from repository_links where ${condition} order by id ${forUpdate}`,
      bindings,
    );
    if (rows.length === 0) return 0;
    const changed = rowset('v', KINDS);
    const cells = rows.map((row) => {
      const all = new Set([...(JSON.parse(row.suspects) as readonly string[]), ...suspects]);
      const hurried = Math.max(row.hurried, row.running);
      return [row.id, moment(Math.min(dueAt, row.due_at - 1)), hurried, asJson([...all])];
    });
    await inside.write(
      `update repository_links as l set due_at = v.due_at, hurried = v.hurried, suspects = v.suspects
        from ${changed.table} where l.id = v.id`,
      changed.bindings(cells),
    );
    return rows.length;
  });
