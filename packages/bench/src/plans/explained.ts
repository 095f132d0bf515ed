import type { Database } from '@shipworthy/adapters/knex';
import { type Effort, effortOf, type PlanNode } from './plan.js';

type Access = Database['access'];
type Values = Parameters<Access['read']>[1];

/** A statement as a store sent it, and what carrying it out took. */
export interface Explained {
  readonly sql: string;
  /** `kept`: the plan for whatever values, which a connection keeps for a statement it is sent again and again. */
  readonly plan: 'own' | 'kept';
  readonly effort: Effort;
}

interface ExplainedRow {
  readonly 'QUERY PLAN': string | readonly [{ readonly Plan: PlanNode }];
}

type IsBig = (table: string) => boolean;

/** Thrown to undo what a statement did while it was explained. */
class Undone extends Error {}

const EXPLAIN = 'explain (analyze, buffers, format json)';

const effortIn = (rows: readonly ExplainedRow[], isBig: IsBig): Effort => {
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]';
  const [parsed] = typeof plan === 'string' ? (JSON.parse(plan) as readonly { readonly Plan: PlanNode }[]) : plan;
  if (parsed === undefined) throw new Error('PostgreSQL explained nothing.');
  return effortOf(parsed.Plan, isBig);
};

const literal = (value: string | number | null): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
};

const undone = async <Result>(access: Access, work: (inside: Access) => Promise<Result>): Promise<Result> => {
  const results: Result[] = [];
  try {
    await access.atomically(async (inside) => {
      results.push(await work(inside));
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  const [result] = results;
  if (result === undefined) throw new Error('Nothing was explained.');
  return result;
};

const withOwnPlan = (access: Access, sql: string, values: Values, isBig: IsBig): Promise<Effort> =>
  undone(access, async (inside) => effortIn(await inside.read<ExplainedRow>(`${EXPLAIN} ${sql}`, values), isBig));

const withKeptPlan = (access: Access, sql: string, values: Values, isBig: IsBig): Promise<Effort> =>
  undone(access, async (inside) => {
    await inside.write('set local plan_cache_mode = force_generic_plan');
    await inside.write(`prepare explained as ${sql}`);
    try {
      const given = values === undefined || values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      return effortIn(await inside.read<ExplainedRow>(`${EXPLAIN} execute explained${given}`), isBig);
    } finally {
      await inside.write('deallocate explained');
    }
  });

const isExplainable = (sql: string): boolean => /^\s*(select|with|insert|update|delete)\b/.test(sql);

/**
 * The same access, which explains each statement before it is carried out: first undone, then as it was meant. A named
 * statement is explained with the plan that its connection keeps for it, too.
 * @param isBig which tables' rows count
 */
export const explaining = (access: Access, isBig: IsBig, note: (explained: Explained) => void): Access => {
  // Statements that are sent at once must not meet in one another's savepoint.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const explain = async (sql: string, values: Values, name: string | undefined): Promise<void> => {
    if (!isExplainable(sql)) return;
    note({ sql, plan: 'own', effort: await withOwnPlan(access, sql, values, isBig) });
    if (name !== undefined) note({ sql, plan: 'kept', effort: await withKeptPlan(access, sql, values, isBig) });
  };
  return {
    ...access,
    read: (sql, values, name) =>
      inTurn(async () => {
        await explain(sql, values, name);
        return access.read(sql, values, name);
      }),
    write: (sql, values, name) =>
      inTurn(async () => {
        await explain(sql, values, name);
        return access.write(sql, values, name);
      }),
    atomically: (work) => inTurn(() => access.atomically((inside) => work(explaining(inside, isBig, note)))),
  };
};
