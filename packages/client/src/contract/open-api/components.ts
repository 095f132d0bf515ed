import type { Schema } from '../schema.js';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** Gathers what many operations have in common: it is written once under `components` and referred to from everywhere else. */
export interface Components {
  /** The schema, with every titled one in it replaced by its reference. Throws when two different schemas bear one title. */
  schema(schema: Schema): Json;
  /** A reference to the response, which is kept under that name. */
  response(name: string, response: Json): Json;
  /** All that was gathered, by name. */
  all(): { readonly schemas: Json; readonly responses: Json };
}

const isTitled = (value: object): value is Schema & { readonly title: string } =>
  'title' in value && typeof value.title === 'string';

const sorted = (map: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...map].sort(([a], [b]) => a.localeCompare(b)));

export const gatherComponents = (): Components => {
  const schemas = new Map<string, Json>();
  const sources = new Map<string, string>();
  const responses = new Map<string, Json>();

  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value !== 'object' || value === null) return value;
    return isTitled(value) ? titled(value) : members(value);
  };

  // Examples are data, and a property may be called title: neither names a schema.
  const members = (schema: object): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [
        name,
        name === 'examples' ? value : name === 'properties' ? properties(value) : inner(value),
      ]),
    );

  const properties = (all: object): Json =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, inner(schema)]));

  const titled = (schema: Schema & { readonly title: string }): Json => {
    const source = JSON.stringify(schema);
    const known = sources.get(schema.title);
    if (known !== undefined && known !== source) throw new Error(`Two schemas are titled ${schema.title}.`);
    if (known === undefined) {
      sources.set(schema.title, source);
      schemas.set(schema.title, members(schema));
    }
    return { $ref: `#/components/schemas/${schema.title}` };
  };

  return {
    schema: (schema) => (isTitled(schema) ? titled(schema) : members(schema)),
    response(name, response) {
      responses.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    },
    all: () => ({ schemas: sorted(schemas), responses: sorted(responses) }),
  };
};
