import type { Schema } from '@shipworthy/client/contract';

const takesNull = ({ type, enum: values, oneOf, anyOf }: Schema): boolean =>
  [type].flat().some((one) => one === undefined || one === 'null') ||
  values?.includes(null) === true ||
  oneOf !== undefined ||
  anyOf !== undefined;

/**
 * Takes optional members away that are null where the schema gives null no meaning: what is created has no former value that
 * null could remove, and many programs write null for what they have not. Everything else is left as it is.
 */
export const withoutNulls = ({ properties = {}, required = [] }: Schema): ((value: unknown) => unknown) => {
  const absent = Object.keys(properties).filter((name) => {
    const schema = properties[name];
    return schema !== undefined && !required.includes(name) && !takesNull(schema);
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = value as Readonly<Record<string, unknown>>;
    if (!absent.some((name) => members[name] === null)) return value;
    return Object.fromEntries(Object.entries(members).filter(([name, of]) => of !== null || !absent.includes(name)));
  };
};
