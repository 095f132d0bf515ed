import type { Schema } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { type BodyFormat, bodyText } from './body.js';
import { parseJson } from './json-text.js';
import { faulty, Problem } from './problem.js';
import type { BatchItem } from './route.js';
import type { Check } from './validation.js';

/** What a record is taken for, before it is checked. */
type Meant = (value: unknown) => unknown;

const ofLine = (line: string, check: Check, meant: Meant): BatchItem<unknown> => {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { faults: [{ pointer: '', code: error.type, message: error.detail }] };
  }
  return ofValue(value, check, meant);
};

const ofValue = (sent: unknown, check: Check, meant: Meant): BatchItem<unknown> => {
  const value = meant(sent);
  const faults = check(value);
  return faults.length === 0 ? { value } : { faults };
};

const countFault = (code: string, message: string): readonly Fault[] => [{ pointer: '', code, message }];

const checkCount = (count: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema): void => {
  if (count < minItems) throw faulty(countFault('minItems', `The batch must have ${minItems} or more records`));
  if (count > maxItems) throw faulty(countFault('maxItems', `The batch must have ${maxItems} or fewer records`));
};

/**
 * Reads a batch, a JSON array or one JSON text per line, into its records, each valid or with its own faults.
 * @throws Problem `malformed-json` for a broken array, `invalid` for another form or too many records
 */
export const createBatchReader = (schema: Schema, check: Check, meant: Meant = (value) => value) => {
  return (raw: Buffer, format: BodyFormat): readonly BatchItem<unknown>[] => {
    const text = bodyText(raw);
    if (format === 'ndjson') {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      checkCount(lines.length, schema);
      return lines.map((line) => ofLine(line, check, meant));
    }
    const values = parseJson(text);
    if (!Array.isArray(values)) throw faulty(countFault('type', 'The body must be a list'));
    checkCount(values.length, schema);
    return values.map((value) => ofValue(value, check, meant));
  };
};
