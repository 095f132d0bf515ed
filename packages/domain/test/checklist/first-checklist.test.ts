import { expect } from 'chai';
import { firstChecklist, openItem } from '../../src/checklist/first-checklist.js';

describe('The first checklist', () => {
  it('is Docs, Feature flag, Rollback, all open', () => {
    let id = 0;
    const items = firstChecklist('r1', 77, () => `i${++id}`);
    expect(items.map(({ id, key, title, state, position }) => [id, key, title, state, position])).to.deep.equal([
      ['i1', 'docs', 'Docs', 'open', 0],
      ['i2', 'feature_flag', 'Feature flag', 'open', 1],
      ['i3', 'rollback', 'Rollback', 'open', 2],
    ]);
    for (const item of items)
      expect(item).to.deep.include({ releaseId: 'r1', evidence: [], version: 1, updatedAt: 77, updatedBy: null });
  });
  it('grows by open items that name who added them', () => {
    expect(openItem('i9', 'r1', 'Load test', 3, 5, 'Ada')).to.include({
      key: 'load_test',
      state: 'open',
      updatedBy: 'Ada',
    });
  });
});
