import { expect } from 'chai';
import { openItem } from '../../src/checklist/checklist-template.js';
import { RESTORABLE_MS, requireAdded, requireRestorable, restorableUntil } from '../../src/checklist/removal.js';
import { DomainError } from '../../src/errors.js';

const item = (origin: 'template' | 'added') =>
  openItem({ id: 'i1', releaseId: 'r1', title: 'Rollback', origin, at: 1, by: null });

describe('The removal of an item', () => {
  it('is for items that were added by hand', () => {
    expect(() => requireAdded(item('added'))).not.to.throw();
    expect(() => requireAdded(item('template')))
      .to.throw(DomainError, /Rollback comes from .* mark it as not applicable/)
      .with.property('code', 'template-item');
  });
  it('can be undone for 30 days', () => {
    const removal = { removedAt: 1_000, removedBy: 'Ada' };
    const removed = { ...item('added'), removal };
    expect(RESTORABLE_MS).to.equal(2_592_000_000);
    expect(restorableUntil(removal)).to.equal(2_592_001_000);
    expect(() => requireRestorable(removed, 2_592_000_999)).not.to.throw();
    expect(() => requireRestorable(removed, 2_592_001_000))
      .to.throw(DomainError)
      .with.property('code', 'not-restorable');
  });
});
