import { type Database, knexStores } from '@shipworthy/adapters/knex';
import { countWords } from '../page/table.js';
import { CHANGING, type Question, type QuestionInput, READING } from './questions.js';

/** A node of a plan as PostgreSQL explains it in JSON; only what is looked at. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly 'Index Name'?: string;
  readonly 'Conflict Arbiter Indexes'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** The work that a plan did. */
interface Effort {
  /** Rows answered or changed. */
  readonly rows: number;
  /** Rows of big tables looked at for that, in all loops. */
  readonly looked: number;
  /** Pages of 8 kB touched, in the cache or not. */
  readonly pages: number;
  /** Big tables read from end to end. */
  readonly scanned: readonly string[];
  readonly indexes: readonly string[];
}

const everyNode = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(everyNode)];

const lookedAt = (node: PlanNode): number => {
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 1);
};

const isScan = (node: PlanNode): boolean => node['Node Type'].includes('Scan') && node['Relation Name'] !== undefined;

const rowsOf = (node: PlanNode): number => {
  const own = node['Actual Rows'] ?? 0;
  const [below] = node.Plans ?? [];
  // A change that returns nothing has no rows of its own: those it was given count.
  return node['Node Type'] === 'ModifyTable' && own === 0 && below !== undefined ? (below['Actual Rows'] ?? 0) : own;
};

/** Sums up a plan. Leaves out scans that never ran (no loops), and the rows of small tables. */
export const effortOf = (root: PlanNode, isBig: (table: string) => boolean): Effort => {
  const nodes = everyNode(root).filter((node) => node['Actual Loops'] !== 0);
  const names = (of: (node: PlanNode) => string | readonly string[] | undefined): readonly string[] =>
    [...new Set(nodes.flatMap((node) => of(node) ?? []))].toSorted();
  return {
    rows: rowsOf(root),
    looked: Math.round(
      nodes
        .filter((node) => isScan(node) && isBig(node['Relation Name'] ?? ''))
        .reduce((sum, node) => sum + lookedAt(node), 0),
    ),
    pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    scanned: names((node) => (node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined)).filter(isBig),
    indexes: names((node) => [...(node['Conflict Arbiter Indexes'] ?? []), ...[node['Index Name'] ?? []].flat()]),
  };
};

type Access = Database['access'];
type Values = Parameters<Access['read']>[1];

/** A statement as a store sent it, and what carrying it out took. */
interface Explained {
  readonly sql: string;
  /** `own`: made for these values; `kept`: the generic plan that a connection keeps for a frequent statement. */
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
 * The same access, but it explains each statement first, which carries it out and undoes it, and then carries it out
 * for good. A named statement is explained with the plan that its connection keeps for it, too.
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

/** A statement of a question; `fault` says what is wrong with its plan, null: nothing. */
interface Finding extends Explained {
  readonly title: string;
  readonly fault: string | null;
}

/** How many rows a question may look at: ROWS, and ROWS_EACH more for each row it answers. */
const ROWS = 300;
const ROWS_EACH = 12;
/** How many pages a question may touch: PAGES, and PAGES_EACH for each row it looks at (4 lead down an index). */
const PAGES = 600;
const PAGES_EACH = 12;

const faultOf = ({ effort }: Explained, { allowed }: Question): string | null => {
  if (effort.scanned.length > 0) return `reads all of ${effort.scanned.join(', ')}`;
  const { rows: more = 0 } = allowed ?? {};
  const most = ROWS + ROWS_EACH * effort.rows + more;
  if (effort.looked > most) return `looks at ${effort.looked} rows, ${most} at most`;
  const pages = PAGES + PAGES_EACH * Math.max(effort.looked, effort.rows + more);
  return effort.pages > pages ? `touches ${effort.pages} pages, ${pages} at most` : null;
};

/**
 * Asks every question through the server's own stores and judges the plan of every statement they send: it must not read a
 * big table from end to end, nor much more than it answers. @param big tables that are too big for that
 */
export const checkPlans = async (
  database: Database,
  place: QuestionInput,
  big: ReadonlySet<string>,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const question of [...READING, ...CHANGING]) {
    const access = explaining(
      database.access,
      (table) => big.has(table),
      (explained) => findings.push({ title: question.title, ...explained, fault: faultOf(explained, question) }),
    );
    await question.ask(knexStores({ ...database, access }), place);
  }
  return findings;
};

const number = (value: number): string => countWords(value).padStart(9);

const findingLine = ({ title, plan, effort, fault }: Finding): string =>
  `${number(effort.rows)} ${number(effort.looked)} ${number(effort.pages)}  ${title}${plan === 'kept' ? ' (kept plan)' : ''}${fault === null ? '' : `  FAULT: ${fault}`}`;

/** The findings as a table; each fault with its statement, or every statement when `verbose`. */
export const plansTable = (findings: readonly Finding[], verbose: boolean): string => {
  const faults = findings.filter(({ fault }) => fault !== null);
  return [
    ' answered    looked     pages',
    ...findings.flatMap((each) => [findingLine(each), ...(verbose || each.fault !== null ? [each.sql] : [])]),
    `${findings.length} plans, ${faults.length} faults`,
  ].join('\n');
};

interface IndexRow {
  readonly name: string;
  readonly bytes: number;
}

/** Every index of the tables that reports fill, with its size and the questions whose plans used it. */
export const indexUse = async ({ access }: Database, findings: readonly Finding[]): Promise<string> => {
  const rows = await access.read<IndexRow>(
    `select c.relname as name, pg_relation_size(c.oid) as bytes from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid where t.relkind = 'r' and t.relname in
        ('deployments', 'deployment_counts', 'test_runs', 'latest_test_runs', 'idempotency', 'release_marks') order by 1`,
  );
  return rows
    .map(({ name, bytes }) => {
      const users = new Set(findings.filter(({ effort }) => effort.indexes.includes(name)).map(({ title }) => title));
      return `${name}, ${(bytes / 1e6).toFixed(1)} MB: ${users.size === 0 ? 'used by no question' : [...users].join('; ')}`;
    })
    .join('\n');
};
