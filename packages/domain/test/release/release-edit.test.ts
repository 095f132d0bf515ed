import { expect } from 'chai';
import { edit } from '../../src/release/release-edit.js';
import { pointers, refusal } from '../refusal.js';
import { releaseOf } from './release-of.js';

describe('Editing a release', () => {
  it('changes what is given and leaves the rest', () => {
    const release = releaseOf({ startsAt: 5, targetAt: 6 });
    expect(edit(release, { name: '1.1' })).to.deep.equal({ ...release, name: '1.1', version: 2 });
    expect(edit(release, { targetAt: null, startsAt: 8 })).to.include({ targetAt: null, startsAt: 8, name: '1.0' });
  });
  for (const state of ['shipped', 'canceled'] as const) {
    it(`cannot move the start once ${state}`, () => {
      refusal(() => edit(releaseOf({ state, startsAt: 5 }), { startsAt: 6 }), 'release-closed');
    });
    it(`may repeat the start and change the name once ${state}`, () => {
      expect(edit(releaseOf({ state, startsAt: 5 }), { startsAt: 5, name: '1.1' }).name).to.equal('1.1');
    });
  }
  it('leaves an active release a start', () => {
    const error = refusal(() => edit(releaseOf({ state: 'active', startsAt: 5 }), { startsAt: null }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/starts_at']);
    expect(edit(releaseOf({ startsAt: 5 }), { startsAt: null }).startsAt).to.equal(null);
  });
});
