/** The part of JSON Schema 2020-12 the contract is written in. A `title` makes it a named component of the OpenAPI document. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  /** Used instead of `oneOf` where only a pattern tells the forms apart, which tools do not recognise. */
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly multipleOf?: number;
  readonly default?: unknown;
}

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** Lets an interface extend the type of a schema: declarations then name the interface and do not repeat the type. */
export type InterfaceBase<S> = S;

type Simplify<T> = { [K in keyof T]: T[K] };
type RequiredKeys<S> = S extends { required: readonly (infer K)[] } ? K : never;
type FromObject<S> = S extends { properties: infer P }
  ? Simplify<
      { readonly [K in keyof P as K extends RequiredKeys<S> ? K : never]: FromSchema<P[K]> } & {
        readonly [K in keyof P as K extends RequiredKeys<S> ? never : K]?: FromSchema<P[K]>;
      }
    >
  : S extends { additionalProperties: infer V extends Schema }
    ? Readonly<Record<string, FromSchema<V>>>
    : Readonly<Record<string, unknown>>;
type FromType<S, T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { items: infer I }
            ? readonly FromSchema<I>[]
            : readonly unknown[]
          : T extends 'object'
            ? FromObject<S>
            : never;

/** The TypeScript type of what a schema accepts; the schema must be `as const`. */
export type FromSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { oneOf: readonly (infer O)[] } | { anyOf: readonly (infer O)[] }
      ? O extends unknown
        ? FromSchema<O>
        : never
      : S extends { type: readonly (infer T)[] }
        ? FromType<S, T>
        : S extends { type: infer T }
          ? FromType<S, T>
          : unknown;

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

/** The type of an object schema that refuses unknown members. It has a name so that declarations are short. */
export interface RecordSchema<P, Required> {
  readonly type: 'object';
  readonly title?: string;
  readonly description?: string;
  readonly properties: P;
  readonly required: readonly Required[];
  readonly additionalProperties: false;
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
}: RecordParts<P, O>): RecordSchema<P, Exclude<Extract<keyof P, string>, O>> => {
  const missing = new Set<string>(optional);
  const required: readonly Exclude<Extract<keyof P, string>, O>[] = Object.keys(rest.properties).filter(
    (name): name is Exclude<Extract<keyof P, string>, O> => !missing.has(name),
  );
  return { type: 'object', ...rest, required, additionalProperties: false };
};

/** The envelope of one resource: `{data}`. */
export const envelope = <const S extends Schema>(data: S) => record({ properties: { data } });

/** The envelope of a list that is never paged: `{data: [..]}`. */
export const list = <const S extends Schema>(items: S) => envelope({ type: 'array', items });

/** The query member that reverses the order of a list by time. */
export const timeOrder = {
  order: { type: 'string', enum: ['asc', 'desc'], description: '`asc`: oldest first; newest first unless said.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** The query members every paged list takes. */
export const pageQuery = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Rows per page.' },
  cursor: {
    type: 'string',
    format: 'characters',
    minLength: 1,
    maxLength: 2000,
    description: 'The `next_cursor` of the page before.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** The query member with words to find rows by. @param where the text in which the words are looked for */
export const wordsIn = <const Where extends string>(where: Where) =>
  ({
    type: 'string',
    format: 'text',
    minLength: 1,
    maxLength: 100,
    description: `Every word of it is in ${where}, in any case.`,
  }) as const satisfies Schema;

export const PageQuery = record({ properties: pageQuery, optional: ['limit', 'cursor'] });

/** One page of a list: `{data, next_cursor}`; stable while rows are being added. */
export const pageOf = <const S extends Schema>(items: S) =>
  record({
    properties: {
      data: { type: 'array', items },
      next_cursor: { type: ['string', 'null'], description: 'Asks for the next page; null on the last one.' },
    },
  });
