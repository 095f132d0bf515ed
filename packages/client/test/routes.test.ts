import { expect } from 'chai';
import type { Operation } from '../src/contract/operation.js';
import { operations } from '../src/contract/operations.js';
import { ROUTES, type Trait } from '../src/routes.js';

const traitOf = (operation: Operation): readonly Trait[] => {
  if (operation.idempotent) return ['keyed'];
  if (operation.repeatable) return ['repeatable'];
  if (operation.query?.properties?.cursor) return [operation.pagedByLimit ? 'pageable' : 'paged'];
  return operation.success.contentType ? ['text'] : [];
};

describe('ROUTES', () => {
  it('says of every operation that is no stream what the contract says', () => {
    const called = Object.entries<Operation>(operations).filter(([, { stream }]) => !stream);
    const expected = called.map(([id, operation]) => [id, [operation.method, operation.path, ...traitOf(operation)]]);
    expect(ROUTES).to.deep.equal(Object.fromEntries(expected));
  });
});
