import { expect } from 'chai';
import type { Operation } from '../src/contract/operation.js';
import { operations } from '../src/contract/operations.js';
import { ROUTES, type Trait } from '../src/routes.js';

const traitOf = (operation: Operation): readonly Trait[] => {
  if (operation.idempotent) return ['keyed'];
  if (operation.repeatable) return ['repeatable'];
  if (operation.query?.properties?.cursor) return ['paged'];
  return operation.success.contentType ? ['text'] : [];
};

describe('ROUTES', () => {
  it('says of every operation what the contract says, in its order', () => {
    const expected = Object.entries<Operation>(operations).map(([id, operation]) => [
      id,
      [operation.method, operation.path, ...traitOf(operation)],
    ]);
    expect(Object.entries(ROUTES)).to.deep.equal(expected);
  });
});
