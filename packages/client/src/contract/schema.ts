/** The part of JSON Schema 2020-12 the contract is written in. A `title` makes it a named component of the OpenAPI document. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  /** Where the forms exclude each other by a pattern only, which tools do not see. */
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
