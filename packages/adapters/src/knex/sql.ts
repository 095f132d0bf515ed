// SQL by hand, and what statements share: pages that begin behind a key compare rows as a whole, and old rows are removed by where
// they lie. The builder knows neither.
import type { Author, Instant, Page, PageKey, PageRequest, ReleaseEvent } from '@shipworthy/domain';
import type { Knex } from 'knex';
import type { Dialect, Value } from './dialect.js';
import { ConnectionLost, isStoreRefusal, translated } from './errors.js';

/** The way to the data: outside any transaction, or inside one. */
export interface Access {
  readonly dialect: Dialect;
  readonly inTransaction: boolean;
  /** Settles when `dialect` says what the database is, which is not known before it was reached once; null: it is known. */
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
  /** Publishes events once the outermost transaction is committed; never when it, or the part this is in, is rolled back. */
  tell(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The same access with an author, also in its savepoints. */
export const actingAs = (access: Access, by: Author): Access => ({
  ...access,
  by,
  atomically: (work) => access.atomically((inside) => work(actingAs(inside, by))),
});

/** Errors inside a transaction that were no refusals: such a transaction must not be committed. */
export interface Failures {
  first: unknown;
}

/**
 * The store, asked once its database has been reached, with failures of the database turned into what they mean; inside a
 * transaction the first is kept.
 */
export const translating = <Store extends object>(
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
          const meaning = translated(error);
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
export const inOrder = <Found>(
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
  /** An upper bound of the first column, where it is a moment; null or missing: none. */
  readonly before?: Instant | null;
  readonly sort: readonly SortColumn[];
  readonly descending: boolean;
}

/** Leaves out the rows in whose column, a JSON array of texts, the text is. */
export const withoutListed = (rows: Knex.QueryBuilder, { dialect }: Access, column: string, text: string): void => {
  rows.whereRaw(`not (${dialect.inJsonArray('?', column)})`, [text]);
};

const keyBindings = (access: Access, sort: readonly SortColumn[], after: PageKey): readonly Value[] =>
  sort.map(({ kind }, place) => {
    const value = after[place] ?? null;
    return kind === 'moment' && typeof value === 'number' ? access.dialect.moment(value) : value;
  });

/** One page by keyset: rows are compared as a whole with the last one seen, which one index answers. */
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
  // On the way down a later page is below its key: with both limits, a database may well begin at the other one and read all
  // between them.
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

/** The records by key, each key's in the order given; keys in the order of their first record. */
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
 * Removes one portion of a table's rows; answers how many. They are found by where they lie: by a key, a database may well
 * compare it with that of every row there is.
 * @param from SQL from the tables on, in which `t` is the table, to the end of the condition
 * @param projectId on a cluster the project they are of: where a row lies is said within the part of the table that holds it
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
 * Removes all rows whose moment meets the condition, the oldest first and some thousands at a time, so that no statement
 * lasts long; answers how many. In that order each portion begins where the last one ended: in none, a database may look
 * again and again through what is gone already.
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

/** How many projects of a cluster are asked for at a time, so that one question leaves connections to others. */
const PROJECTS_AT_ONCE = 4;

/**
 * The rows of each of these projects, asked for by a statement of its own: on a cluster a worker has all records of a project, and
 * looks into one that the statement names.
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
 * Rows of distributed tables that are asked for by these ids. A worker that was lost while it committed has, once it is back, rows that
 * were acknowledged and are not seen before the coordinator has decided on them: where one is missing, that none are such is made
 * sure of, so that no record is said not to exist that does.
 * @throws ConnectionLost while there may be such rows
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

/** The project for each of the places that a text has for bindings. */
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
 * One moment of each project, in the order asked; undefined where there is none.
 * @param moment selects it as `at` for the project
 */
export const lastMoments = async (
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
