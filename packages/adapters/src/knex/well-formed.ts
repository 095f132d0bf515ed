import { DomainError } from '@shipworthy/domain';

const refuse = (): never => {
  throw new DomainError('invalid', 'Text must be well-formed Unicode without the character NUL.');
};

const check = (value: unknown): void => {
  if (typeof value === 'string') {
    // Neither NUL nor a surrogate without its partner can be kept by PostgreSQL, and SQLite would cut or change it.
    if (!value.isWellFormed() || value.includes('\0')) refuse();
  } else if (Array.isArray(value)) for (const element of value) check(element);
};

/** Refuses what no database keeps faithfully; DomainError `invalid`. */
export const checkBindings = (bindings: unknown): void => check(bindings);

const checkMembers = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) check(value);
  else {
    for (const [name, member] of Object.entries(value)) {
      check(name);
      checkMembers(member);
    }
  }
};

/** A value as JSON text to be stored; DomainError `invalid` when a text in it could not be read back. */
export const asJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  // What cannot be kept is always written as an escape: most texts have none and need no second look.
  if (text.includes('\\u')) checkMembers(value);
  return text;
};
