import type { Access } from './access.js';
import type { Value } from './dialect.js';

/** What is stored, by column. */
export type Columns = Readonly<Record<string, Value>>;

/** The text that inserts one row of these columns. */
const insertion = (table: string, columns: Columns): string => {
  const names = Object.keys(columns);
  return `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
};

/** Inserts one row. */
export const insert = async (access: Access, table: string, columns: Columns): Promise<void> => {
  await access.write(insertion(table, columns), Object.values(columns));
};

/** Inserts one row unless it meets the constraint on these columns; false then. */
export const insertUnlessThere = async (
  access: Access,
  table: string,
  columns: Columns,
  unique: string,
): Promise<boolean> => {
  const text = `${insertion(table, columns)} on conflict (${unique}) do nothing returning 1 as stored`;
  return (await access.write(text, Object.values(columns))).length === 1;
};

/** Changes the rows that meet the condition; answers how many. */
export const update = async (
  access: Access,
  table: string,
  columns: Columns,
  condition: string,
  bindings: readonly Value[],
): Promise<number> => {
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  const text = `update ${table} set ${set.join(', ')} where ${condition} returning 1 as stored`;
  return (await access.write(text, [...Object.values(columns), ...bindings])).length;
};

/** Removes the rows that meet the condition; answers how many. */
export const remove = async (
  access: Access,
  table: string,
  condition: string,
  bindings: readonly Value[],
): Promise<number> =>
  (await access.write(`delete from ${table} where ${condition} returning 1 as gone`, bindings)).length;

/** The moment as a binding, or null. */
export const momentOrNull = ({ dialect }: Access, at: number | null): string | number | null =>
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
