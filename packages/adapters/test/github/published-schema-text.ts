/** A JSON object of the published description. */
export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose values are maps from names to schemas: their names are no keywords. */
const MAPS = new Set(['properties', 'patternProperties']);
/** What explains without demanding anything. */
const WORDS = new Set([
  'example',
  'examples',
  'discriminator',
  'xml',
  'externalDocs',
  'deprecated',
  'description',
  'title',
]);

/**
 * A schema of OpenAPI 3.0 as JSON Schema: `nullable` becomes a choice, explanations go. `refer` is told each reference and
 * answers the name of a definition.
 */
export const asJsonSchema = (schema: unknown, refer: (reference: string) => string): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => asJsonSchema(item, refer));
  if (!isNode(schema)) return schema;
  if (typeof schema.$ref === 'string') return { $ref: `#/$defs/${refer(schema.$ref)}` };
  const { nullable, ...rest } = schema;
  const entries = Object.entries(rest)
    .filter(([key]) => !WORDS.has(key) && !key.startsWith('x-'))
    .map(([key, value]) => [
      key,
      MAPS.has(key) && isNode(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJsonSchema(inner, refer)]))
        : key === 'enum' || key === 'default'
          ? value
          : asJsonSchema(value, refer),
    ]);
  const plain = Object.fromEntries(entries) as Node;
  return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain;
};
