import type { Schema, SchemaType } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { Problem } from './problem.js';
import type { Check } from './validation.js';

const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

const typesOf = (schema: Schema | undefined): readonly SchemaType[] => {
  const type = schema?.type;
  return type === undefined || typeof type === 'string' ? (type === undefined ? [] : [type]) : type;
};

/** A value as its property's type says; text that does not read as that type stays text, for the schema to refuse. */
const read = (text: string, types: readonly SchemaType[]): unknown => {
  if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('invalid', 'The query is not well-formed: a percent sign begins no valid sequence.', {
      members: { errors: [{ pointer: '', code: 'malformed', message: 'The query is not well-formed.' }] },
    });
  }
};

const named = (fault: Fault): Fault => ({ ...fault, pointer: fault.pointer.replace(/^\//, '') });

/** Reads a query string by an object schema. A parameter given twice is a fault, unless its property is a list. */
export const createQueryReader = (schema: Schema | undefined, check: Check) => {
  const properties = schema?.properties ?? {};
  return (query: string): { readonly value: unknown; readonly faults: readonly Fault[] } => {
    if (query === '' && schema?.required === undefined) return { value: NOTHING, faults: [] };
    const value = Object.create(null) as Record<string, unknown>;
    const faults: Fault[] = [];
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const types = typesOf(property);
      const before = value[name];
      if (types.includes('array')) {
        value[name] = [...(Array.isArray(before) ? before : []), read(text, typesOf(property?.items))];
      } else if (before !== undefined) {
        faults.push({ pointer: name.slice(0, 100), code: 'twice', message: `${name.slice(0, 100)} is given twice` });
      } else value[name] = read(text, types);
    }
    return { value, faults: [...faults, ...check(value).map(named)] };
  };
};
