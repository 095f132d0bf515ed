import type { Schema } from '@shipworthy/client/contract';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of what a later version wrote, with the members that the schema names: those that it does not know are left out. */
export const knownMembers = (schema: Schema, value: unknown): unknown => {
  const { items, properties } = schema.oneOf?.find(({ type }) => type === 'object') ?? schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => knownMembers(items, one));
  if (!isObject(value) || properties === undefined) return value;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(known.map(([name, property]) => [name, knownMembers(property, value[name])]));
};
