// SQL by hand, and what statements share: pages behind a key compare whole rows, and old rows are removed by their
// physical place. The builder knows neither.
import type { Author, Instant, Page, PageKey, PageRequest, ReleaseEvent } from '@shipworthy/domain';
import type { Knex } from 'knex';
import type { Dialect, Value } from './dialect.js';
import { ConnectionLost, domainErrorOf, isStoreRefusal } from './errors.js';

/** The way to the data: outside any transaction, or inside one. */
export interface Access {
  readonly dialect: Dialect;
  readonly inTransaction: boolean;
  /** Settles when the database was reached once, so that `dialect` is known; null: it is known already. */
  reached(): Promise<void> | null;
  /** Rows of a reading statement. A name lets the database keep its plan: only for texts that never change. */
  read<Row>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[]>;
  /** Carries out a writing statement and answers the rows it returns. */
  write<Row = unknown>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[]>;
  /**
   * Runs all of the work or nothing: in a new transaction, or in a savepoint of the running one. The work must not catch its
   * own errors.
   */
  atomically<Result>(work: (inside: Access) => Promise<Result>): Promise<Result>;
  /** The author of what moves reports; missing: not known. */
  readonly by?: Author;
  /**
   * Publishes events when the outermost transaction commits; never if it, or this access's savepoint, is rolled back.
   */
  publish(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The same access with an author, also in its savepoints. */
export const actingAs = (access: Access, by: Author): Access => ({
  ...access,
  by,
  atomically: (work) => access.atomically((inside) => work(actingAs(inside, by))),
});

/** The first error inside a transaction that was no refusal: with one the transaction must not be committed. */
export interface Failures {
  first: unknown;
}

/**
 * Wraps a store: its methods wait until the database was reached once, and throw failures of the database as the
 * DomainErrors that they mean. `failures` keeps the first one that is no refusal.
 */
export const withDomainErrors = <Store extends object>(
  store: Store,
  { reached }: Pick<Access, 'reached'>,
  failures?: Failures,
): Store =>
  new Proxy(store, {
    get: (target, key) => {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        try {
          const reaching = reached();
          if (reaching !== null) await reaching;
          return await Reflect.apply(method, target, given);
        } catch (error) {
          const meaning = domainErrorOf(error);
          if (failures !== undefined && !isStoreRefusal(meaning)) failures.first ??= meaning;
          throw meaning;
        }
      };
    },
  });

/** Removes the rows that meet the condition; answers how many. */
export const remove = async (
  access: Access,
  table: string,
  condition: string,
  bindings: readonly Value[],
): Promise<number> =>
  (await access.write(`delete from ${table} where ${condition} returning 1 as gone`, bindings)).length;

/** The moment as a binding, or null. */
export const boundMoment = ({ dialect }: Access, at: number | null): string | number | null =>
  at === null ? null : dialect.moment(at);

/** Puts found records into the order they were asked for; undefined where there is none. */
export const inRequestedOrder = <Found>(
  keys: readonly string[],
  found: readonly Found[],
  keyOf: (found: Found) => string,
): readonly (Found | undefined)[] => {
  const byKey = new Map(found.map((record) => [keyOf(record), record]));
  return keys.map((key) => byKey.get(key));
};

/** A column a list is sorted by. Columns of one list all go the same way, so that one index serves it. */
export interface SortColumn {
  readonly name: string;
  readonly kind: 'moment' | 'text' | 'number';
}

/** A list to be read page by page. */
export interface Listing {
  /** All rows of the list, without order and limit. */
  readonly rows: Knex.QueryBuilder;
  /** Exclusive upper bound of the first column, which must be a moment; null or missing: none. */
  readonly before?: Instant | null;
  readonly sort: readonly SortColumn[];
  readonly descending: boolean;
}

/** Excludes the rows whose column, a JSON array of texts, contains the text. */
export const withoutListed = (rows: Knex.QueryBuilder, { dialect }: Access, column: string, text: string): void => {
  rows.whereRaw(`not (${dialect.inJsonArray('?', column)})`, [text]);
};

const keyBindings = (access: Access, sort: readonly SortColumn[], after: PageKey): readonly Value[] =>
  sort.map(({ kind }, place) => {
    const value = after[place] ?? null;
    return kind === 'moment' && typeof value === 'number' ? access.dialect.moment(value) : value;
  });

/** Returns one page: compares whole rows with the last row of the page before, so that one index answers it. */
export const keysetPage = async <Row, Found>(
  access: Access,
  { rows: all, before = null, sort, descending }: Listing,
  page: PageRequest,
  read: (row: Row) => Found,
  keyOf: (found: Found) => PageKey,
): Promise<Page<Found>> => {
  const names = sort.map(({ name }) => name);
  const order = names.map((column) => ({ column, order: descending ? 'desc' : 'asc' }) as const);
  const listed = all.orderBy(order).limit(page.limit + 1);
  // On a later page, newest first, the key is the upper bound: with `before` as well, a database may begin there and
  // read all rows between the two.
  const isBelow = descending && page.after !== null && Number(page.after[0]) < (before ?? 0);
  if (before !== null && !isBelow) listed.where(names[0] ?? '', '<', access.dialect.moment(before));
  if (page.after !== null) {
    const behind = `(${names.join(', ')}) ${descending ? '<' : '>'} (${names.map(() => '?').join(', ')})`;
    listed.whereRaw(behind, keyBindings(access, sort, page.after));
  }
  const rows: readonly Row[] = await listed;
  const found = rows.slice(0, page.limit).map(read);
  const last = found.at(-1);
  return { rows: found, next: rows.length > page.limit && last !== undefined ? keyOf(last) : null };
};

/** Groups records by key: keys in the order of their first record, the records of each in the order given. */
export const groupedBy = <Key, Found>(
  found: readonly Found[],
  keyOf: (found: Found) => Key,
): ReadonlyMap<Key, readonly Found[]> => {
  const groups = new Map<Key, Found[]>();
  for (const record of found) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
};

const PORTION = 5000;

/**
 * Removes up to PORTION rows of a table; returns how many. Finds them by their physical place: with a key, a database
 * may compare it with every row of the table.
 * @param from the SQL behind `from` up to the end of the condition; `t` is the table
 * @param projectId the project of the rows; on a cluster a physical place is unique only within one shard
 */
export const removePortion = (
  access: Access,
  table: string,
  from: string,
  order: string,
  bindings: readonly Value[],
  projectId?: string,
): Promise<number> => {
  const found = (place: string): string => `select t.${place} from ${from} order by ${order} limit ${PORTION}`;
  const where =
    access.dialect.name === 'sqlite' ? `rowid in (${found('rowid')})` : `ctid = any(array(${found('ctid')}))`;
  return access.dialect.cluster === null || projectId === undefined
    ? remove(access, table, where, bindings)
    : remove(access, table, `project_id = ? and ${where}`, [projectId, ...bindings]);
};

/**
 * Removes all rows whose moment meets the condition, oldest first and in portions, so that no statement lasts long;
 * returns how many. Each portion begins where the last one ended: without an order, a database may scan the removed
 * rows again and again.
 */
export const removeInPortions = async (
  access: Access,
  table: string,
  condition: `${string} ${'<' | '<='} ?`,
  binding: Value,
): Promise<number> => {
  const order = condition.split(' ', 1).join();
  let removed = 0;
  for (;;) {
    const gone = await removePortion(access, table, `${table} t where ${condition}`, order, [binding]);
    removed += gone;
    if (gone < PORTION) return removed;
  }
};

/** How many projects of a cluster are read at a time, so that one request leaves connections to others. */
const PROJECTS_AT_ONCE = 4;

/**
 * On a cluster: returns the rows of all these projects, read by one statement per project. One worker has all records
 * of a project, and only a statement that names the project goes to that worker alone.
 */
export const rowsOfEach = async <Row>(
  projectIds: readonly string[],
  ask: (projectId: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const rest = [...new Set(projectIds)];
  const found: Row[] = [];
  const askOn = async (): Promise<void> => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) found.push(...(await ask(next)));
  };
  await Promise.all(Array.from({ length: PROJECTS_AT_ONCE }, askOn));
  return found;
};

/**
 * Reads rows of distributed tables by ids. After a worker was lost while it committed, rows that were acknowledged stay
 * hidden until the coordinator has decided on the commit. So when a row is missing, this checks that no commit is
 * undecided, and reads again.
 * @throws ConnectionLost while a commit is undecided
 */
export const rowsOfIds = async <Row>(
  { dialect: { cluster }, read }: Access,
  ids: readonly string[],
  ask: () => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> => {
  const rows = await ask();
  if (cluster === null || rows.length >= new Set(ids).size) return rows;
  const [undecided] = await read<{ readonly workers: number }>(cluster.undecided);
  if (undecided?.workers !== 0)
    throw new ConnectionLost('workers of the cluster have not ended all that was committed');
  return ask();
};

/** Returns the project's id once for each `?` in the text. */
export const timesIn = (text: string, projectId: string): readonly Value[] =>
  Array.from({ length: text.split('?').length - 1 }, () => projectId);

interface MomentRow {
  readonly project_id: string;
  readonly at: number | null;
}

const momentsOfEach = (
  { dialect, read }: Access,
  moment: (project: string) => string,
  projectIds: readonly string[],
): Promise<readonly MomentRow[]> => {
  if (dialect.cluster !== null)
    return rowsOfEach(projectIds, async (id) => {
      const rows = await read<Pick<MomentRow, 'at'>>(moment('?'), [id]);
      return rows.map(({ at }) => ({ project_id: id, at }));
    });
  const asked = dialect.rowset('v', { project_id: 'id' });
  return read<MomentRow>(
    `select v.project_id, (${moment('v.project_id')}) as at from ${asked.table}`,
    asked.bindings([...new Set(projectIds)].map((id) => [id])),
  );
};

/**
 * Returns one moment of each project, in the order asked; undefined where there is none.
 * @param moment returns the SQL that selects it as `at`; `project` is the SQL of the project's id
 */
export const lastMomentOfEach = async (
  access: Access,
  moment: (project: string) => string,
  projectIds: readonly string[],
): Promise<readonly (Instant | undefined)[]> => {
  const rows = await momentsOfEach(access, moment, projectIds);
  const byId = new Map(rows.map(({ project_id, at }) => [project_id, at ?? undefined]));
  return projectIds.map((id) => byId.get(id));
};

/** The slug itself, then with 2, 3, ... behind it, leaving out those known to be taken. */
function* numberedSlugs(slug: string, taken: ReadonlySet<string>, separator = '-'): Generator<string> {
  if (!taken.has(slug)) yield slug;
  for (let number = 2; ; number += 1) {
    const numbered = `${slug}${separator}${number}`;
    if (!taken.has(numbered)) yield numbered;
  }
}

/** Stores under the first free slug; skips one that another transaction took in the meantime. */
export const storeUnderFreeSlug = async (
  slug: string,
  taken: readonly string[],
  store: (slug: string) => Promise<boolean>,
  separator?: string,
): Promise<string> => {
  for (const candidate of numberedSlugs(slug, new Set(taken), separator)) {
    if (await store(candidate)) return candidate;
  }
  throw new Error('numbers never end');
};
