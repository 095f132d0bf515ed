import type { Schema } from './schema.js';

interface RecordParts<P, O> {
  /** Makes it a named component. */
  readonly title?: string;
  readonly description?: string;
  readonly properties: P;
  /** Members that may be missing; all others are required. */
  readonly optional?: readonly O[];
  readonly minProperties?: number;
  readonly examples?: readonly unknown[];
}

/** An object schema that refuses unknown members; every member is required unless `optional` names it. */
export const record = <
  const P extends Readonly<Record<string, Schema>>,
  const O extends Extract<keyof P, string> = never,
>({
  optional,
  ...rest
}: RecordParts<P, O>) => {
  const missing = new Set<string>(optional);
  const required: readonly Exclude<Extract<keyof P, string>, O>[] = Object.keys(rest.properties).filter(
    (name): name is Exclude<Extract<keyof P, string>, O> => !missing.has(name),
  );
  return {
    type: 'object',
    ...rest,
    required,
    additionalProperties: false,
  } as const;
};

/** The envelope of one resource: `{data}`. */
export const envelope = <const S extends Schema>(data: S) => record({ properties: { data } });

/** The envelope of a list that is never paged: `{data: [..]}`. */
export const list = <const S extends Schema>(items: S) => envelope({ type: 'array', items });
