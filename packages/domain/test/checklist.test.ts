import { expect } from 'chai';
import {
  awaitsConfirmation,
  CHECKLIST_STATES,
  type ChecklistItem,
  confirmedItem,
  countedState,
  DEFAULT_TEMPLATE,
  type Editor,
  editedItem,
  editFaults,
  firstChecklist,
  type ItemEdit,
  openItem,
  RESTORABLE_MS,
  requireAdded,
  requireRestorable,
  restorableUntil,
} from '../src/checklist.js';
import { DomainError } from '../src/errors.js';

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

const REASON = 'Nothing to roll back';
const OPEN = openItem({ id: 'i1', releaseId: 'r1', title: 'Rollback', origin: 'template', at: 1, by: null });
const MARKING: ItemEdit = { state: 'not_applicable', reason: REASON };
const ben: Editor = { name: 'Ben', isOwner: false, at: 5 };
const ada: Editor = { name: 'Ada', isOwner: true, at: 7 };
const fault = (edit: ItemEdit) => editFaults(edit).map(({ pointer, code }) => `${pointer} ${code}`);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing';
};
/** Marked by Ben and confirmed by Ada. */
const confirmed = () => confirmedItem(editedItem(OPEN, MARKING, ben), ada);
const mark = ({ mark }: ChecklistItem) => mark && [mark.reason, mark.markedBy, mark.confirmedBy];

describe('Editing an item', () => {
  it('needs a reason for a mark, and takes one for nothing else', () => {
    expect(fault({ state: 'not_applicable' })).to.deep.equal(['/reason required']);
    expect(fault({ state: 'done', reason: REASON })).to.deep.equal(['/reason does_not_fit']);
    expect(fault({ state: 'open', reason: REASON })).to.deep.equal(['/reason does_not_fit']);
    for (const edit of [MARKING, { reason: REASON }, { state: 'done' }, { title: 'Undo' }, {}] as const)
      expect(fault(edit)).to.deep.equal([]);
    expect(codeOf(() => editedItem(OPEN, { reason: REASON }, ada))).to.equal('invalid');
  });
  it('takes no reason without a letter or a digit', () => {
    for (const reason of ['', ' ', '\u{a0}\u{3000}', '\u{200b}', '\u{2800}', '-', '...']) {
      expect(fault({ state: 'not_applicable', reason }), JSON.stringify(reason)).to.deep.equal(['/reason required']);
      expect(fault({ reason }), JSON.stringify(reason)).to.deep.equal(['/reason required']);
    }
    for (const reason of ['n', '2', 'なし', 'нет'])
      expect(fault({ state: 'not_applicable', reason })).to.deep.equal([]);
  });
  it('by an owner confirms the mark with it', () => {
    const { mark: made, ...rest } = editedItem(OPEN, MARKING, ada);
    expect(made).to.deep.equal({
      reason: REASON,
      markedBy: 'Ada',
      markedAt: 7,
      confirmedBy: 'Ada',
      confirmedAt: 7,
    });
    expect(rest).to.include({ state: 'not_applicable', version: 2, updatedAt: 7, updatedBy: 'Ada' });
  });
  it('by any other person leaves the mark to an owner', () => {
    const marked = editedItem(OPEN, MARKING, ben);
    expect(marked.mark).to.deep.equal({
      reason: REASON,
      markedBy: 'Ben',
      markedAt: 5,
      confirmedBy: null,
      confirmedAt: null,
    });
    expect([awaitsConfirmation(marked), countedState(marked)]).to.deep.equal([true, 'open']);
    expect([awaitsConfirmation(confirmed()), countedState(confirmed())]).to.deep.equal([false, 'not_applicable']);
    expect(mark(confirmed())).to.deep.equal([REASON, 'Ben', 'Ada']);
  });
  it('clears the mark with every other state', () => {
    for (const state of CHECKLIST_STATES) {
      if (state === 'not_applicable') continue;
      const cleared = editedItem(confirmed(), { state }, ben);
      expect([cleared.state, cleared.mark]).to.deep.equal([state, null]);
    }
  });
  it('by another person takes the confirmation away with another reason or title, and with nothing else', () => {
    expect(mark(editedItem(confirmed(), { reason: 'Other' }, ben))).to.deep.equal(['Other', 'Ben', null]);
    expect(mark(editedItem(confirmed(), { title: 'Docs' }, ben))).to.deep.equal([REASON, 'Ben', null]);
    for (const edit of [{ reason: REASON }, MARKING, { title: 'Rollback' }, {}])
      expect(mark(editedItem(confirmed(), edit, ben))).to.deep.equal([REASON, 'Ben', 'Ada']);
  });
  it('by an owner keeps what is confirmed, and is the mark of the owner where the reason or nothing was', () => {
    expect(mark(editedItem(confirmed(), { title: 'Undo' }, ada))).to.deep.equal([REASON, 'Ben', 'Ada']);
    expect(mark(editedItem(confirmed(), MARKING, ada))).to.deep.equal([REASON, 'Ben', 'Ada']);
    expect(mark(editedItem(confirmed(), { reason: 'Other' }, ada))).to.deep.equal(['Other', 'Ada', 'Ada']);
    const marked = editedItem(OPEN, MARKING, ben);
    expect(mark(editedItem(marked, MARKING, ada))).to.deep.equal([REASON, 'Ada', 'Ada']);
    expect(mark(editedItem(marked, { title: 'Undo' }, ada))).to.deep.equal([REASON, 'Ben', null]);
  });
});

describe('Confirming a mark', () => {
  it('says who did it when, as a change of the item', () => {
    const marked = editedItem(OPEN, MARKING, ben);
    const next = confirmedItem(marked, { name: 'Ada', at: 9 });
    expect(next.mark).to.deep.equal({ ...marked.mark, confirmedBy: 'Ada', confirmedAt: 9 });
    expect(next).to.include({ version: 3, updatedAt: 9, updatedBy: 'Ada' });
  });
  it('leaves a confirmed one as it is, and is refused where there is none', () => {
    const before = confirmed();
    expect(confirmedItem(before, ada)).to.equal(before);
    for (const item of [OPEN, { ...OPEN, state: 'done' } as const])
      expect(codeOf(() => confirmedItem(item, ada))).to.equal('not-marked');
  });
});

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
