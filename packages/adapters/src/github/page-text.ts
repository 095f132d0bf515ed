import { DomainError } from '@shipworthy/domain';
import { type Fields, fieldsOf } from './fields.js';

const notOurs = (): DomainError =>
  new DomainError('invalid', 'This page was not given out here.', {
    faults: [{ pointer: '/page', code: 'page', message: 'was not given out here' }],
  });

/** Where a reading goes on, as the opaque text that callers keep. */
export const pageText = (place: Fields): string => JSON.stringify(place);

/** What `pageText` was made of. @throws DomainError `invalid` for a text that was not made here */
export const placeOf = (page: string): Fields => {
  try {
    return fieldsOf(JSON.parse(page), 'page');
  } catch {
    throw notOurs();
  }
};

/** A whole number of a place, `least` or more. @throws DomainError `invalid` */
export const placeNumber = (place: Fields, key: string, least: number): number => {
  const value = place[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) throw notOurs();
  return value;
};

/** Where a connection of the GraphQL interface goes on. @throws DomainError `invalid` */
export const placeAfter = (page: string | null): string | null => {
  if (page === null) return null;
  const { after } = placeOf(page);
  if (typeof after !== 'string') throw notOurs();
  return after;
};
