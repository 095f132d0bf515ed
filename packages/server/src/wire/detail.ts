import { wireMoment } from './moment.js';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const wireValue = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => wireValue(item));
  if (typeof value === 'number' && name.endsWith('At')) return wireMoment(value);
  return value === null || typeof value !== 'object' ? value : wireDetail(value);
};

/** A free record of the domain in wire form: names in snake_case, moments (whose names end in At) as RFC 3339. */
export const wireDetail = (detail: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(detail).map(([name, value]) => [snakeCase(name), wireValue(value, name)]));
