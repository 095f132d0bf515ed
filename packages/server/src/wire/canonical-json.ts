const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

/** A value that JSON can hold as the one text it has by RFC 8785. Names of members must not read as whole numbers. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));
