import { expect } from 'chai';
import {
  activate,
  cancel,
  edit,
  isClosed,
  park,
  RELEASE_STATES,
  type Release,
  type ReleaseState,
  requireOpen,
  sameValue,
  ship,
  windowOf,
} from '../../src/release/release.js';
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

const moves: readonly [ReleaseState, readonly ReleaseState[], (release: Release) => Release][] = [
  ['active', ['planned'], (release) => activate(release, 500)],
  ['planned', ['active'], park],
  ['shipped', ['active'], (release) => ship(release, 500, 'Done.')],
  ['canceled', ['planned', 'active'], (release) => cancel(release, 500)],
];

describe('States of a release', () => {
  for (const [to, allowed, move] of moves)
    for (const state of RELEASE_STATES) {
      if (state === 'active' && to === 'active') continue;
      if (allowed.includes(state))
        it(`${state} -> ${to}, one version on`, () => {
          expect(move(releaseOf({ state }))).to.include({ state: to, version: 2 });
        });
      else
        it(`${state} -> ${to} is refused`, () => {
          const error = refusal(() => move(releaseOf({ state })), 'release-state');
          expect(error.details).to.deep.equal({ state, wanted: to });
        });
    }
  it('activating the active one changes nothing', () => {
    const active = releaseOf({ state: 'active', startsAt: 3 });
    expect(activate(active, 500)).to.equal(active);
  });
  it('a release becomes active and ships at its start at the earliest', () => {
    const moves = [
      ['active', (at: number) => activate(releaseOf({ startsAt: 500 }), at)],
      ['shipped', (at: number) => ship(releaseOf({ state: 'active', startsAt: 500 }), at, null)],
    ] as const;
    for (const [wanted, move] of moves) {
      const { details, message } = refusal(() => move(499), 'release-state');
      expect(details).to.deep.include({ wanted, starts_at: '1970-01-01T00:00:00.500Z' });
      expect(message).to.contain('1970-01-01T00:00:00.500Z');
      expect(move(500).state).to.equal(wanted);
    }
    expect(cancel(releaseOf({ startsAt: 500 }), 499).state).to.equal('canceled');
  });
  it('shipping keeps the moment and the note', () => {
    expect(ship(releaseOf({ state: 'active' }), 500, 'Done.')).to.include({ shippedAt: 500, note: 'Done.' });
  });
  it('closed are shipped and canceled', () => {
    expect(RELEASE_STATES.filter((state) => isClosed({ state }))).to.deep.equal(['shipped', 'canceled']);
    for (const state of ['shipped', 'canceled'] as const)
      expect(refusal(() => requireOpen(releaseOf({ state })), 'release-closed').details).to.deep.include({ state });
    requireOpen(releaseOf({ state: 'active' }));
  });
});

describe('The release window', () => {
  it('is none without a start', () => {
    expect(windowOf(releaseOf())).to.equal(null);
  });
  it('starts with the first activation unless a start was given', () => {
    expect(windowOf(activate(releaseOf(), 500))).to.deep.equal({ from: 500, to: null });
    expect(windowOf(activate(releaseOf({ startsAt: 7 }), 500))).to.deep.equal({ from: 7, to: null });
  });
  it('goes on while parked, and a second activation does not move its start', () => {
    const parked = park(activate(releaseOf(), 500));
    expect(windowOf(parked)).to.deep.equal({ from: 500, to: null });
    expect(windowOf(activate(parked, 900))).to.deep.equal({ from: 500, to: null });
  });
  it('ends with shipping or canceling', () => {
    expect(windowOf(ship(activate(releaseOf(), 500), 800, null))).to.deep.equal({ from: 500, to: 800 });
    expect(windowOf(cancel(activate(releaseOf(), 500), 900))).to.deep.equal({ from: 500, to: 900 });
  });
});

describe('Whether two values are the same', () => {
  it('is told member by member, for any order', () => {
    expect(sameValue({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).to.equal(true);
    expect(sameValue({ a: 1, b: undefined }, { a: 1 })).to.equal(true);
    expect(sameValue('x', 'x')).to.equal(true);
  });
  it('is denied for any member that differs, lacks or is of another kind', () => {
    for (const other of [{ a: 2 }, { a: '1' }, {}, { a: 1, b: 0 }, { b: 1 }, [1], null, 1, { a: [1] }])
      expect(sameValue({ a: 1 }, other)).to.equal(false);
    expect(sameValue([1, 2], [2, 1])).to.equal(false);
    expect(sameValue([], {})).to.equal(false);
    expect(sameValue({ a: null }, {})).to.equal(false);
  });
});
