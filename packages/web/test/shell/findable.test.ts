import type { Team } from '@shipworthy/client';
import { expect } from 'chai';
import { findablesMatching, findablesOf } from '../../src/shell/findable.js';

const project = (id: string, name: string) => ({ id, name }) as Team['projects'][number];
const team = {
  id: 't',
  name: 'Core',
  projects: [project('p', 'checkout'), project('q', 'new checkout')],
} as unknown as Team;
const all = findablesOf([team], new Map([['p', [{ id: 'r', name: '2.4 Gift cards' }]]]));
const titles = (text: string, limit = 10) => findablesMatching(all, text, limit).map(({ title }) => title);

describe('what can be found by name', () => {
  it('is every project, each followed by its releases, with its address', () => {
    expect(all).to.deep.equal([
      { title: 'checkout', about: 'Project of Core', address: '/teams/t/projects/p' },
      { title: 'checkout 2.4 Gift cards', about: 'Release of checkout', address: '/teams/t/projects/p/releases/r' },
      { title: 'new checkout', about: 'Project of Core', address: '/teams/t/projects/q' },
    ]);
  });

  it('holds every word in any order and case', () => {
    expect(titles('GIFT check')).to.deep.equal(['checkout 2.4 Gift cards']);
    expect(titles('gift new')).to.deep.equal([]);
  });

  it('puts first what begins so, and ends at the limit', () => {
    expect(titles('new')).to.deep.equal(['new checkout']);
    expect(findablesMatching(all.toReversed(), 'check', 10).map(({ title }) => title)).to.deep.equal([
      'checkout 2.4 Gift cards',
      'checkout',
      'new checkout',
    ]);
    expect(titles('', 2)).to.deep.equal(['checkout', 'checkout 2.4 Gift cards']);
  });
});
