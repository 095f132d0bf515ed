import type { DomainError, Instant } from '@shipworthy/domain';
import { hostUnavailable } from '../host-http/unavailable.js';

export const TITLE = 'GitLab';

/** An object of GitLab's interface, not looked into yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** What arrived is JSON, yet not what GitLab's interface gives here. */
export const notOfTheInterface = (): DomainError =>
  hostUnavailable('not_json', `${TITLE} answered something else than its interface gives.`);

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => {
  if (!isFields(value)) throw notOfTheInterface();
  return value;
};

/** An object within; undefined: null or left out. */
export const within = (fields: Fields, name: string): Fields | undefined => {
  const value = fields[name];
  return value === null || value === undefined ? undefined : fieldsOf(value);
};

export const rowsOf = (value: unknown): readonly Fields[] => {
  if (!Array.isArray(value)) throw notOfTheInterface();
  return value.map(fieldsOf);
};

/** A text; null: null, empty or left out. */
export const textOrNull = (fields: Fields, name: string): string | null => {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== 'string') throw notOfTheInterface();
  return value === '' ? null : value;
};

export const text = (fields: Fields, name: string): string => {
  const value = textOrNull(fields, name);
  if (value === null) throw notOfTheInterface();
  return value;
};

export const wholeNumber = (fields: Fields, name: string): number => {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw notOfTheInterface();
  return value;
};

/** A moment, in whole milliseconds: what GitLab writes finer is cut; null: null or left out. */
export const momentOrNull = (fields: Fields, name: string): Instant | null => {
  const value = textOrNull(fields, name);
  if (value === null) return null;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) throw notOfTheInterface();
  return moment;
};

export const moment = (fields: Fields, name: string): Instant => {
  const value = momentOrNull(fields, name);
  if (value === null) throw notOfTheInterface();
  return value;
};
