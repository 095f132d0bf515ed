import { expect } from 'chai';
import { CHECKLIST_STATES, type ChecklistState } from '../../src/checklist/checklist-item.js';
import { itemMove } from '../../src/release/item-move.js';

const MARK = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada', confirmedAt: 2 };
const item = (state: ChecklistState, confirmed = true) => {
  const mark = confirmed ? MARK : { ...MARK, confirmedBy: null, confirmedAt: null };
  return { id: 'c1', title: 'Docs', state, mark: state === 'not_applicable' ? mark : null };
};

describe('A move of a checklist item', () => {
  it('is one of ops wherever it counts otherwise', () => {
    for (const was of [null, ...CHECKLIST_STATES]) {
      for (const is of [null, ...CHECKLIST_STATES]) {
        const { what, axes, title, ...cause } = itemMove(was && item(was), is && item(is), 9);
        const moved = (was ?? 'not_applicable') !== (is ?? 'not_applicable');
        expect([what.length, axes]).to.deep.equal(moved ? [1, ['ops']] : [0, []]);
        expect(title).to.equal(is === null && was !== null ? 'Docs' : null);
        if (was !== null || is !== null) expect(cause).to.deep.equal({ kind: 'checklist_item', id: 'c1', at: 9 });
      }
    }
  });
  it('says what became of it', () => {
    const what = (was: ChecklistState | null, is: ChecklistState | null) =>
      itemMove(was && item(was), is && item(is), 9).what[0];
    expect([what(null, 'open'), what('open', 'done'), what('done', 'open')]).to.deep.equal([
      'added',
      'done',
      'reopened',
    ]);
    expect([what('open', 'not_applicable'), what('done', null)]).to.deep.equal(['not_applicable', 'removed']);
  });
  it('takes a mark that awaits an owner for an open item', () => {
    const awaiting = item('not_applicable', false);
    const whats = [
      itemMove(item('open'), awaiting, 9),
      itemMove(item('done'), awaiting, 9),
      itemMove(awaiting, item('not_applicable'), 9),
      itemMove(item('not_applicable'), awaiting, 9),
      itemMove(awaiting, item('open'), 9),
      itemMove(null, awaiting, 9),
    ].map(({ what }) => what);
    expect(whats).to.deep.equal([[], ['reopened'], ['not_applicable'], ['reopened'], [], ['added']]);
  });
});
