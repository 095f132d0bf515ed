import { expect } from 'chai';
import { DEFAULT_TEMPLATE, firstChecklist, openItem } from '../../src/checklist/checklist-template.js';

const listOf = (titles: readonly string[]) => {
  let id = 0;
  return firstChecklist({ ...DEFAULT_TEMPLATE, titles }, 'r1', 77, () => `i${++id}`);
};

describe('The checklist template', () => {
  it('is Docs, Feature flag, Rollback by default, all open', () => {
    const items = listOf(DEFAULT_TEMPLATE.titles);
    expect(items.map(({ id, key, title, state, position }) => [id, key, title, state, position])).to.deep.equal([
      ['i1', 'docs', 'Docs', 'open', 0],
      ['i2', 'feature_flag', 'Feature flag', 'open', 1],
      ['i3', 'rollback', 'Rollback', 'open', 2],
    ]);
    const made = { releaseId: 'r1', origin: 'template', mark: null, evidence: [], version: 1, removal: null };
    for (const item of items) expect(item).to.deep.include({ ...made, updatedAt: 77, updatedBy: null });
  });
  it('gives each item a key of its own', () => {
    const keys = listOf(['Docs', 'docs', '漢字', 'docs 2', 'DOCS', '-']).map(({ key }) => key);
    expect(keys).to.deep.equal(['docs', 'docs_2', 'item', 'docs_2_2', 'docs_3', 'item_2']);
  });
  it('may be empty', () => {
    expect(listOf([])).to.deep.equal([]);
  });
  it('is followed by open items that name the person who added them', () => {
    const added = { id: 'i9', releaseId: 'r1', title: 'Load test', origin: 'added', at: 5, by: 'Ada' } as const;
    expect(openItem(added)).to.include({ key: 'load_test', state: 'open', origin: 'added', updatedBy: 'Ada' });
  });
});
