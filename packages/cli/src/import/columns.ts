import type { Schema } from '@shipworthy/client/contract';
import { usageFailure } from '../failure.js';

/** Which field takes which column of the file. */
export interface Columns {
  /** Field by column. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether columns that no field takes are left out; else they are faults. */
  readonly ignoreOthers: boolean;
}

/** Columns that bear a field's name, but for those that are given: `field=column`. Failure (exit 2) for a field there is none of. */
export const columnsOf = (schema: Schema, given: readonly string[], ignoreOthers: boolean): Columns => {
  const known = Object.keys(schema.properties ?? {});
  const pairs = given.map((text): readonly [string, string] => {
    const [, field = '', column = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (!known.includes(field))
      throw usageFailure(`--map ${text} names no field.`, `Write FIELD=COLUMN; the fields are ${known.join(', ')}.`);
    return [column.trim(), field];
  });
  const taken = new Set(pairs.map(([, field]) => field));
  if (taken.size < pairs.length) throw usageFailure('--map names a field twice.');
  const own = known.filter((field) => !taken.has(field)).map((field): readonly [string, string] => [field, field]);
  return { fields: new Map([...own, ...pairs]), ignoreOthers };
};

/** Failure (exit 2) naming every column that no field takes, and every one that is asked for and missing. */
export const requireColumns = (
  name: string,
  { fields, ignoreOthers }: Columns,
  schema: Schema,
  heads: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
  time?: { readonly field: string; readonly fix: string },
): void => {
  const others = ignoreOthers ? [] : heads.filter((head) => head !== '' && !fields.has(head));
  const missing = [...fields].flatMap(([column, field]) => {
    if (heads.includes(column)) return [];
    const needed = (schema.required ?? []).includes(field) && defaults[field] === undefined;
    return column !== field || needed ? [column] : [];
  });
  if (others.length + missing.length === 0) return;
  const parts = [
    ...(others.length > 0 ? [`no field takes ${others.join(', ')}`] : []),
    ...(missing.length > 0 ? [`there is no column ${missing.join(', ')}`] : []),
  ];
  throw usageFailure(
    `${name}: ${parts.join('; ')}.`,
    `Name columns by --map FIELD=COLUMN; the fields are ${[...fields.values()].join(', ')}.`,
    ...(others.length > 0 ? ['Leave columns out that no field takes by --ignore-others.'] : []),
    ...(time !== undefined && missing.includes(time.field) ? [time.fix] : []),
  );
};
