import type { Schema, SchemaType } from '@shipworthy/client/contract';
import * as fc from 'fast-check';
import type { Template } from './template.js';
import { addresses, BY_NAME, COUNTS, known, lineOf, moments, WORDS } from './texts.js';

const MAX = 2_147_483_647;

const numbers = (schema: Schema, whole: boolean): fc.Arbitrary<Template> => {
  const { minimum = schema.exclusiveMinimum === undefined ? -MAX : schema.exclusiveMinimum + 1, maximum = MAX } =
    schema;
  const small = fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), Math.ceil(minimum) + 100) });
  const edges = fc.constantFrom(Math.ceil(minimum), Math.floor(maximum));
  const parts = small.map((value) => (value + 0.25 <= maximum ? value + 0.25 : value));
  return fc.oneof({ weight: 6, arbitrary: small }, edges, whole ? small : parts);
};

const texts = (schema: Schema, name: string): fc.Arbitrary<Template> => {
  const { minLength = 1, maxLength = 200, pattern, format, examples = [] } = schema;
  const meant = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (meant !== undefined) return meant;
  if (format === 'uuid') return fc.oneof(known(name), fc.uuid());
  if (format === 'timestamp') return moments;
  if (format === 'http-url') return addresses;
  if (pattern !== undefined && examples.length > 0) return fc.constantFrom(...(examples as readonly string[]));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const line = lineOf(minLength, maxLength);
  const examined = examples.filter((example): example is string => typeof example === 'string');
  return examined.length === 0 ? line : fc.oneof({ weight: 4, arbitrary: line }, fc.constantFrom(...examined));
};

const lists = (schema: Schema, name: string): fc.Arbitrary<Template> => {
  const { items = {}, minItems = 0, maxItems = 4, uniqueItems = false } = schema;
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
  const item = fittingValue(items, name);
  return uniqueItems ? fc.uniqueArray(item, { ...bounds, comparator: 'SameValueZero' }) : fc.array(item, bounds);
};

const objects = (schema: Schema): fc.Arbitrary<Template> => {
  const { properties = {}, required = [] } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, fittingValue(each, name)]),
  );
  return fc.record(members, { requiredKeys: [...required], noNullPrototype: true });
};

const ofType = (type: SchemaType, schema: Schema, name: string): fc.Arbitrary<Template> => {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numbers(schema, type === 'integer');
  if (type === 'array') return lists(schema, name);
  return type === 'object' ? objects(schema) : texts(schema, name);
};

/** Values a schema accepts, as far as it says what it accepts; `name` is that of the field, which tells what it is for. */
export const fittingValue = (schema: Schema, name = ''): fc.Arbitrary<Template> => {
  const count = Object.hasOwn(COUNTS, name) ? COUNTS[name] : undefined;
  if (count !== undefined) return fc.oneof({ weight: 8, arbitrary: count }, numbers(schema, true));
  if ('const' in schema) return fc.constant(schema.const as Template);
  if (schema.enum !== undefined) {
    const any = fc.constantFrom(...(schema.enum as readonly Template[]));
    const usual = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
    return usual !== undefined && schema.enum.includes(usual)
      ? fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, any)
      : any;
  }
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms !== undefined) return fc.oneof(...forms.map((form) => fittingValue(form, name)));
  const types = [schema.type ?? 'object'].flat() as readonly SchemaType[];
  return fc.oneof(...types.map((type) => ofType(type, schema, name)));
};
