import { DomainError } from '@shipworthy/domain';

// NUL, or a surrogate without its partner: neither can be kept by PostgreSQL, and SQLite would cut or change it.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

const refuse = (): never => {
  throw new DomainError('invalid', 'Text must be well-formed Unicode without the character NUL.');
};

const check = (value: unknown): void => {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) refuse();
  } else if (Array.isArray(value)) value.forEach(check);
};

/** Refuses what no database keeps faithfully; DomainError `invalid`. */
export const checkBindings = (bindings: unknown): void => check(bindings);

/** A value as JSON text to be stored; DomainError `invalid` when a text in it could not be read back. */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (key, member: unknown) => {
    check(key);
    check(member);
    return member;
  });
