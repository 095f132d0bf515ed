import { expect } from 'chai';
import { awaitsOwner, changeText, returnTo } from '../../../src/screens/checklist/states.js';

describe('a change of a checklist item', () => {
  it('is put into words', () => {
    expect(changeText({ state: 'done' })).to.equal('Done');
    expect(changeText({ title: 'Handbook' })).to.equal('the title “Handbook”');
    expect(changeText({ state: 'not_applicable', reason: 'Texts only' })).to.equal('Not applicable: “Texts only”');
    expect(changeText({ reason: 'Texts only' })).to.equal('the reason “Texts only”');
  });
  it('is undone by the state before, which needs its reason', () => {
    expect(returnTo({ state: 'open', reason: null })).to.deep.equal({ state: 'open' });
    const mark = { state: 'not_applicable', reason: 'Texts only' } as const;
    expect(returnTo(mark)).to.deep.equal(mark);
    expect(returnTo({ ...mark, reason: null })).to.equal(undefined);
  });
  it('awaits an owner while its mark is not confirmed', () => {
    expect(awaitsOwner({ state: 'not_applicable', confirmed_at: null })).to.equal(true);
    expect(awaitsOwner({ state: 'not_applicable', confirmed_at: '2026-01-01T00:00:00.000Z' })).to.equal(false);
    expect(awaitsOwner({ state: 'open', confirmed_at: null })).to.equal(false);
  });
});
