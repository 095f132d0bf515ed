import type { ChecklistItem } from '@shipworthy/client';
import { expect } from 'chai';
import { awaitsOwner, changeText, wayBack } from '../../../src/screens/checklist/states.js';

describe('a change of a checklist item', () => {
  it('is put into words', () => {
    expect(changeText({ state: 'done' })).to.equal('Done');
    expect(changeText({ title: 'Handbook' })).to.equal('the title “Handbook”');
    expect(changeText({ state: 'not_applicable', reason: 'Texts only' })).to.equal('Not applicable: “Texts only”');
    expect(changeText({ reason: 'Texts only' })).to.equal('the reason “Texts only”');
  });

  const AT = '2026-01-01T00:00:00.000Z';
  const itemWith = (members: Partial<ChecklistItem>): ChecklistItem => ({
    ...{ id: 'i', key: 'docs', title: 'Docs', origin: 'template', state: 'open', reason: null, position: 0 },
    ...{ marked_by: null, marked_at: null, confirmed_by: null, confirmed_at: null, evidence: [], version: 1 },
    ...{ updated_at: AT, updated_by: null, ...members },
  });
  const mark = { state: 'not_applicable', reason: 'Texts only' } as const;
  const marked = itemWith({ ...mark, marked_by: 'Grace', marked_at: AT });
  const confirmed = { ...marked, confirmed_by: 'Ada', confirmed_at: AT };

  it('is undone by the state or title before; a mark needs its reason', () => {
    expect(wayBack(itemWith({}), { state: 'done' }, false)).to.deep.equal({ change: { state: 'open' }, lost: '' });
    expect(wayBack(itemWith({}), { title: 'Handbook' }, false)).to.deep.equal({ change: { title: 'Docs' }, lost: '' });
    expect(wayBack(confirmed, { state: 'open' }, true)?.change).to.deep.equal(mark);
    expect(wayBack({ ...confirmed, reason: null }, { state: 'open' }, true)).to.equal(undefined);
  });

  it('says which part of a mark undo does not bring back', () => {
    const lost = (before: ChecklistItem, owner: boolean) =>
      [{ state: 'open' as const }, { ...mark, reason: 'No texts' }, { title: 'Handbook' }].map(
        (change) => wayBack(before, change, owner)?.lost,
      );
    const unconfirmed = ' Undo marks it in your name; an owner must confirm it.';
    expect(lost(confirmed, false)).to.deep.equal([
      unconfirmed,
      unconfirmed,
      ' An owner must confirm it again, also after Undo.',
    ]);
    expect(lost(marked, false)).to.deep.equal([unconfirmed, unconfirmed, '']);
    const byOwner = ' Undo marks it as confirmed by you.';
    expect(lost(confirmed, true)).to.deep.equal([byOwner, byOwner, '']);
    expect(lost(marked, true)).to.deep.equal([byOwner, byOwner, '']);
  });

  it('awaits an owner while its mark is not confirmed', () => {
    expect(awaitsOwner({ state: 'not_applicable', confirmed_at: null })).to.equal(true);
    expect(awaitsOwner({ state: 'not_applicable', confirmed_at: '2026-01-01T00:00:00.000Z' })).to.equal(false);
    expect(awaitsOwner({ state: 'open', confirmed_at: null })).to.equal(false);
  });
});
