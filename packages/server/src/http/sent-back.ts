import { isDeepStrictEqual } from 'node:util';
import type { Operation, Schema } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { checkOf } from './input.js';
import type { Reply, RouteHandler } from './route.js';

/** An operation that reads the record which another operation at the same address changes. */
export interface StoredRecord {
  readonly operation: Operation;
  readonly route: RouteHandler<Operation>;
}

/** The result of reading a body that sends a record back as it was answered. */
type SentBack =
  /** Everything in it equals the stored record: no change is asked for. */
  | { readonly same: true }
  /** The change it asks for, and all its faults. */
  | { readonly same: false; readonly body: unknown; readonly faults: readonly Fault[] };

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordSchema = ({ success }: Operation): Schema | undefined => {
  const data = success.body?.properties?.data;
  return data?.properties === undefined ? undefined : data;
};

/** The record in the answer of the operation that reads it. */
export const storedIn = ({ body, text }: Reply): Members => {
  const answer = body ?? (text === undefined ? undefined : JSON.parse(text));
  const data: unknown = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) throw new Error('An operation that reads one record answers it as `data`.');
  return data;
};

const readOnly = (name: string): Fault => ({
  pointer: `/${name}`,
  code: 'read-only',
  message: `${name} cannot be changed here, and what was sent is not what is stored`,
});

/**
 * The rule for all operations that change a record which the same address answers: it may be sent back as it was answered.
 * Members that cannot be changed are ignored where they equal what is stored, and are faults where they differ; members that can
 * be changed are ignored where they equal it with a value that no request may hold, such as null. Undefined for operations
 * that change no such record.
 */
export const createSentBack = ({ method, body: schema }: Operation, stored: Operation | undefined) => {
  const known = stored && recordSchema(stored)?.properties;
  const taken = schema?.properties;
  if (schema === undefined || known === undefined || taken === undefined || (method !== 'PUT' && method !== 'PATCH'))
    return undefined;
  // A version may be sent where the request takes one, too: `If-Match` decides there.
  const isOfRecord = (name: string): boolean => Object.hasOwn(known, name) && !Object.hasOwn(taken, name);
  const checkBody = checkOf(schema);

  return {
    /** Whether a body has to be compared with the stored record; for all others the record is not read. */
    concerns: (body: unknown): body is Members =>
      isObject(body) && Object.keys(body).some((name) => isOfRecord(name) || (name === 'version' && name in known)),

    settle: (body: Members, record: Members, ifMatch: number | null): SentBack => {
      const isEqual = (name: string): boolean =>
        Object.hasOwn(record, name) && isDeepStrictEqual(body[name], record[name]);
      // When the caller saw another version, the operation itself refuses.
      const isOutdated = ifMatch !== null && record.version !== undefined && ifMatch !== record.version;
      const names = Object.keys(body);
      if (!isOutdated && names.every(isEqual)) return { same: true };
      const refusals = isOutdated ? [] : names.filter((name) => isOfRecord(name) && !isEqual(name)).map(readOnly);
      const isAsked = (name: string): boolean => {
        if (isOfRecord(name)) return false;
        const ofMember = taken[name];
        return ofMember === undefined || !isEqual(name) || checkOf(ofMember)(body[name]).length === 0;
      };
      const asked = Object.fromEntries(names.filter(isAsked).map((name) => [name, body[name]]));
      return { same: false, body: asked, faults: [...refusals, ...checkBody(asked)] };
    },
  };
};
