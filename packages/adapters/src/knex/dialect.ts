import { DomainError, type Instant } from '@shipworthy/domain';

/** An element of an array of PostgreSQL. */
type Cell = string | number | null;

const TO_ESCAPE = /["\\]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way than arrays.
const ESCAPED_BY_JSON_ALONE = /[\0-\x1f\p{Surrogate}]/u;

const quoted = (text: string): string => {
  if (!TO_ESCAPE.test(text)) return `"${text}"`;
  // Much faster, and the same text where only quotes and backslashes are escaped.
  if (!ESCAPED_BY_JSON_ALONE.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
};

const element = (cell: Cell | undefined): string => {
  if (typeof cell === 'string') return quoted(cell);
  return cell === null || cell === undefined ? 'NULL' : String(cell);
};

/** Writes a column of rows as the text of a PostgreSQL array; the driver would inspect every element several times. */
const columnText = (rows: readonly (readonly Cell[])[], column: number): string =>
  `{${rows.map((row) => element(row[column])).join(',')}}`;

/** Writes texts as the text of a PostgreSQL array. */
const arrayText = (texts: readonly string[]): string => `{${texts.map(quoted).join(',')}}`;

const DAY = 86_400_000;

const padded = (count: number, digits: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));

const TWO_DIGITS = padded(60, 2);
const THREE_DIGITS = padded(1000, 3);

/**
 * Returns a function that writes moments of the years 0 to 9999 as `Date#toISOString` does, in a third of the time: it
 * keeps the date of the last moment, since consecutive moments mostly lie on the same day.
 */
export const momentTexts = (): ((at: Instant) => string) => {
  let day = Number.NaN;
  let date = '';
  return (at) => {
    const itsDay = Math.floor(at / DAY);
    if (itsDay !== day) {
      date = new Date(itsDay * DAY).toISOString().slice(0, 11);
      day = itsDay;
    }
    const milliseconds = at - itsDay * DAY;
    const seconds = Math.floor(milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    const time = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
    return `${date}${time}.${THREE_DIGITS[milliseconds % 1000]}Z`;
  };
};

const refuse = (): never => {
  throw new DomainError('invalid', 'Text must be well-formed Unicode without the character NUL.');
};

const check = (value: unknown): void => {
  if (typeof value === 'string') {
    // Neither NUL nor a surrogate without its partner can be kept by PostgreSQL, and SQLite would cut or change it.
    if (!value.isWellFormed() || value.includes('\0')) refuse();
  } else if (Array.isArray(value)) for (const element of value) check(element);
};

/** Throws DomainError `invalid` for text that a database cannot store unchanged. */
export const checkBindings = (bindings: unknown): void => check(bindings);

const checkMembers = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) check(value);
  else {
    for (const [name, member] of Object.entries(value)) {
      check(name);
      checkMembers(member);
    }
  }
};

/** A value as JSON text to be stored; DomainError `invalid` when a text in it could not be read back. */
export const asJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  // Characters that cannot be stored appear in JSON as escapes only: a text without one need not be parsed.
  if (text.includes('\\u')) checkMembers(value);
  return text;
};

/** A binding of a statement. Lists are texts: of an array on PostgreSQL, of JSON on SQLite. */
export type Value = string | number | null;

/** The kind of values in a column; `Dialect.types` has its name in each database. */
export type ColumnKind = 'id' | 'text' | 'moment' | 'integer' | 'count' | 'number' | 'json';

/** Rows handed to a statement as a table: its text never depends on how many there are. */
interface Rowset {
  /** The text that follows `from`; it has the name and the columns it was made with. */
  readonly table: string;
  bindings(rows: readonly (readonly Value[])[]): readonly Value[];
}

/**
 * SQL that locks projects, given as one binding. The coordinator shows a commit a moment before the workers do: until
 * they do, too, a transaction with reports holds a second lock of its projects, which it shares with others.
 */
interface ClusterStatements {
  /** Ends a transaction with reports: shares the second locks until the workers have committed, too. */
  readonly holdUntilWorkersCommit: string;
  /** Waits until the workers have committed all that the coordinator shows: takes the second locks alone. */
  readonly waitForWorkers: string;
  /** Locks one project while its old records are removed; `held` is false when another transaction does that. */
  readonly tryLockForRemoval: string;
  /**
   * Counts the workers with a commit that is undecided, because the worker or the coordinator was lost between its two
   * phases, and the workers that cannot be asked.
   */
  readonly undecided: string;
}

/** Everything in which the two databases differ, apart from their connections. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Names of column types. */
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** Ends a table's definition. */
  readonly tableEnd: string;
  /** A column that numbers its rows. */
  readonly numbered: string;
  /** Ends an index behind its sort columns: adds columns that it only stores; on SQLite it is sorted by them, too. */
  carrying(...columns: readonly string[]): string;
  /** A moment as a binding; DomainError `invalid` outside the years 1 to 9999. Moments are read back as numbers. */
  moment(at: Instant): string | number;
  /** A moment of the column as whole milliseconds since 1970, for arithmetic. */
  milliseconds(column: string): string;
  /** The moment that is so many milliseconds after 1970, comparable with a column. */
  asMoment(milliseconds: string): string;
  rowset(name: string, columns: Readonly<Record<string, ColumnKind>>): Rowset;
  /** Whether the column's value is in the list given as one binding. */
  among(column: string, kind: 'id' | 'text'): string;
  list(values: readonly string[]): Value;
  /** The column as text, to be compared with a text. */
  asText(column: string): string;
  /** Whether the value is an element of a JSON array of texts. */
  inJsonArray(value: string, array: string): string;
  /** Aggregates of JSON values; both take an `order by` inside. */
  readonly jsonArrayOf: string;
  readonly jsonArray: string;
  readonly greatest: string;
  readonly least: string;
  /** The name of the changed row in `returning`: SQLite knows only the table's own name there. */
  readonly returned: 'd' | 'deployments';
  /**
   * Locks the projects of a list, given as one binding, until the transaction ends: alone, or shared with other
   * transactions. null: needs no lock, since only one transaction writes at a time.
   */
  readonly lockProjects: Readonly<Record<'alone' | 'shared', string>> | null;
  /** Whether inserting a row that refers to a project locks that project as `shared`. */
  readonly rowsLockProjects: boolean;
  /** What a cluster of Citus needs beyond PostgreSQL; null: it is none, and one statement may join any tables. */
  readonly cluster: ClusterStatements | null;
  /** Holds the selected rows until the transaction ends. */
  readonly forUpdate: string;
  readonly forKeyShare: string;
  readonly skipLocked: string;
}

/** The moments a database can hold. */
export const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const checked = (at: Instant): Instant => {
  if (Number.isInteger(at) && at >= FIRST_MOMENT && at <= LAST_MOMENT) return at;
  throw new DomainError('invalid', 'A moment must lie in the years 1 to 9999.');
};

const momentText = momentTexts();

export const postgres: Dialect = {
  name: 'postgres',
  types: {
    id: 'uuid',
    text: 'text collate "C"',
    moment: 'timestamptz',
    integer: 'integer',
    count: 'bigint',
    number: 'double precision',
    json: 'json',
  },
  tableEnd: '',
  numbered: 'bigint generated always as identity primary key',
  carrying: (...columns) => `) include (${columns.join(', ')})`,
  moment: (at) => momentText(checked(at)),
  // Uses doubles, which hold milliseconds exactly; extract() returns decimals, which take twice as long.
  milliseconds: (column) => `(date_part('epoch', ${column}) * 1000)::bigint`,
  asMoment: (milliseconds) => `to_timestamp((${milliseconds}) / 1000.0)`,
  rowset: (name, columns) => {
    const kinds = Object.values(columns);
    const types = kinds.map((kind) => `?::${postgres.types[kind].replace(/ collate.*/, '')}[]`);
    const table = `unnest(${types.join(', ')}) as ${name}(${Object.keys(columns).join(', ')})`;
    return { table, bindings: (rows) => kinds.map((_, column) => columnText(rows, column)) };
  },
  among: (column, kind) => `${column} = any(?::${kind === 'id' ? 'uuid' : 'text'}[])`,
  list: arrayText,
  asText: (column) => `${column}::text`,
  inJsonArray: (value, array) => `${value} in (select json_array_elements_text(${array}))`,
  jsonArrayOf: 'json_agg',
  jsonArray: 'json_build_array',
  greatest: 'greatest',
  least: 'least',
  returned: 'd',
  lockProjects: {
    alone: 'select id from projects where id = any(?::uuid[]) order by id for update',
    shared: 'select id from projects where id = any(?::uuid[]) order by id for key share',
  },
  rowsLockProjects: true,
  cluster: null,
  forUpdate: 'for update',
  forKeyShare: 'for key share',
  skipLocked: 'for update skip locked',
};

const eachProject = (number: 0 | 1): string =>
  `(hashtextextended(v.id::text, ${number})) from (select unnest(?::uuid[]) as id order by 1) v`;

/**
 * PostgreSQL with Citus: a row lock on a table that has a copy on every node would hold up all writers of that table,
 * so projects are locked by advisory locks on the coordinator.
 */
export const citus: Dialect = {
  ...postgres,
  lockProjects: {
    alone: `select pg_advisory_xact_lock${eachProject(0)}`,
    shared: `select pg_advisory_xact_lock_shared${eachProject(0)}`,
  },
  cluster: {
    holdUntilWorkersCommit: `select pg_advisory_xact_lock_shared${eachProject(1)}`,
    waitForWorkers: `select pg_advisory_xact_lock${eachProject(1)}`,
    tryLockForRemoval: 'select pg_try_advisory_xact_lock(hashtextextended(?, 2)) as held',
    undecided: `select count(*) as workers from run_command_on_workers($$select count(*) from pg_prepared_xacts
      where database = current_database() and gid like 'citus\\_%'$$) where not success or result <> '0'`,
  },
  rowsLockProjects: false,
};

export const sqlite: Dialect = {
  name: 'sqlite',
  types: {
    id: 'text',
    text: 'text',
    moment: 'integer',
    integer: 'integer',
    count: 'integer',
    number: 'real',
    json: 'text',
  },
  tableEnd: 'strict',
  numbered: 'integer primary key',
  carrying: (...columns) => `, ${columns.join(', ')})`,
  moment: checked,
  milliseconds: (column) => column,
  asMoment: (milliseconds) => milliseconds,
  rowset: (name, columns) => {
    const fields = Object.keys(columns).map((column, place) => `value ->> ${place} as ${column}`);
    const table = `(select ${fields.join(', ')} from json_each(?)) as ${name}`;
    return { table, bindings: (rows) => [asJson(rows)] };
  },
  among: (column) => `${column} in (select value from json_each(?))`,
  list: asJson,
  asText: (column) => column,
  inJsonArray: (value, array) => `${value} in (select value from json_each(${array}))`,
  jsonArrayOf: 'json_group_array',
  jsonArray: 'json_array',
  greatest: 'max',
  least: 'min',
  returned: 'deployments',
  lockProjects: null,
  rowsLockProjects: true,
  cluster: null,
  forUpdate: '',
  forKeyShare: '',
  skipLocked: '',
};
