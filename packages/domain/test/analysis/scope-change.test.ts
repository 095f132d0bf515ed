import { expect } from 'chai';
import { movementsOf } from '../../src/analysis/movement.js';
import { scopeChangeOf } from '../../src/analysis/scope-change.js';
import { event } from './issue-lives.js';

const movements = movementsOf([
  event('a', 'added', 1),
  event('b', 'added', 2),
  event('c', 'added', 10),
  event('a', 'removed', 11),
  event('b', 'canceled', 12),
  event('d', 'added', 13),
  event('e', 'added', 14),
]);

describe('Scope change', () => {
  it('tells what came before the start from what came after, the first moment being after', () => {
    expect(scopeChangeOf(movements, 10, 99)).to.deep.equal({
      beforeStart: { added: 2, removed: 0, canceled: 0, net: 2 },
      afterStart: { added: 3, removed: 1, canceled: 1, net: 1 },
      changeRate: 0.5,
    });
  });
  it('goes no further than it is asked, that moment included', () => {
    expect(scopeChangeOf(movements, 10, 12)).to.deep.include({
      afterStart: { added: 1, removed: 1, canceled: 1, net: -1 },
      changeRate: -0.5,
    });
    expect(scopeChangeOf(movements, 10, 9).afterStart).to.include({ added: 0, net: 0 });
  });
  it('has no rate without a window, or when nothing was there at its start', () => {
    expect(scopeChangeOf(movements, null, 99)).to.deep.equal({
      beforeStart: { added: 5, removed: 1, canceled: 1, net: 3 },
      afterStart: null,
      changeRate: null,
    });
    expect(scopeChangeOf(movements, 1, 99)).to.deep.include({ changeRate: null });
  });
});
