import { expect } from 'chai';
import { RELEASE_STATES, type Release, type ReleaseState } from '../../src/release/release.js';
import { activate, cancel, isClosed, park, requireOpen, ship, windowOf } from '../../src/release/release-transition.js';
import { refusal } from '../refusal.js';
import { releaseOf } from './release-of.js';

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
