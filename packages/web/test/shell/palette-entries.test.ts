import type { SearchResult } from '@shipworthy/client';
import { expect } from 'chai';
import {
  type Abilities,
  entriesMatching,
  entryOf,
  groupsOn,
  stillFound,
  teamOf,
} from '../../src/shell/palette-entries.js';

const offers = () => true;
const VIEWER: Abilities = { administrator: false, member: false, owner: false, offers };
const OWNER: Abilities = { administrator: true, member: true, owner: true, offers };
const RELEASE = '/teams/t/projects/p/releases/r';

const titles = (path: string, may = OWNER) => groupsOn(path, may).map(({ title }) => title);
const within = (group: string, path: string, may: Abilities) =>
  groupsOn(path, may)
    .find(({ title }) => title === group)
    ?.entries.map(({ title }) => title) ?? [];
const matching = (text: string, path = '/', may = OWNER) =>
  entriesMatching(groupsOn(path, may), text, 5).map(({ title }) => title);

const found = (over: Partial<SearchResult>): SearchResult => ({
  kind: 'issue',
  id: 'i',
  name: 'Cart forgets coupons',
  match: 'part',
  state: 'in_progress',
  team: { id: 't', name: 'Core' },
  project: { id: 'p', name: 'checkout' },
  ...over,
});

describe('what the palette offers', () => {
  it('begins with the release, project and team of the screen', () => {
    expect(titles('/')).to.deep.equal(['Everywhere']);
    expect(titles('/teams/t/audit')).to.deep.equal(['This team', 'Everywhere']);
    expect(titles('/teams/t/projects/p/issues')).to.deep.equal(['This project', 'This team', 'Everywhere']);
    expect(titles(`${RELEASE}/axes/ops`)).to.deep.equal(['This release', 'This project', 'This team', 'Everywhere']);
    expect([teamOf('/settings'), teamOf(RELEASE)]).to.deep.equal([undefined, 't']);
  });

  it('leads to the screens of exactly that place', () => {
    const [release] = groupsOn(RELEASE, OWNER);
    expect(release?.entries.map(({ goal }) => 'address' in goal && goal.address.replace(RELEASE, ''))).to.deep.equal([
      '',
      '/checklist',
      '/analysis',
      '/difference',
      '/axes/scope',
      '/axes/quality',
      '/axes/ops',
      '/axes/verification',
      '/axes/stability',
    ]);
  });

  it('is only what the person may do', () => {
    expect(within('This project', RELEASE, OWNER)).to.include.members(['New issue', 'New release', 'Gate policy']);
    expect(within('This project', RELEASE, VIEWER))
      .to.include('Gate policy')
      .and.not.include('New issue');
    expect(within('This team', RELEASE, OWNER)).to.include('Audit log');
    expect(within('This team', RELEASE, VIEWER)).to.deep.equal(['Members']);
    expect(within('Everywhere', '/', OWNER)).to.include('People');
    expect(within('Everywhere', '/', VIEWER)).not.to.include('People');
  });

  it('is only what the server has the stores for', () => {
    const [release, project, team, all] = groupsOn(RELEASE, { ...OWNER, offers: () => false });
    const offered = [release, project, team, all].flatMap((group) => group?.entries.map(({ title }) => title));
    expect(offered).to.include.members(['Analysis', 'Gate policy', 'API keys of the team', 'Account']);
    const beyond = ['What changed', 'Linked repository', 'Webhooks', 'Badge', 'Audit log', 'Repository host'];
    for (const title of [...beyond, 'Gate changes']) expect(offered).not.to.include(title);
  });

  it('is found by the beginnings of its words, first what begins with the text', () => {
    expect(matching('API')).to.deep.equal(['API keys']);
    expect(matching('keys')).to.deep.equal(['API keys']);
    expect(matching('app da')).to.deep.equal(['Dark appearance']);
    expect(matching('release', RELEASE)).to.deep.equal(['Releases', 'New release']);
    expect(matching('eys')).to.deep.equal([]);
    expect(matching('', RELEASE)).to.have.length(5);
  });
});

describe('what was found', () => {
  it('stays while a longer text still finds it', () => {
    const both = [found({}), found({ name: 'Gift cards' })];
    expect(stillFound(both, 'CART').map(({ name }) => name)).to.deep.equal(['Cart forgets coupons']);
    expect(stillFound(both, 'checkout car')).to.have.length(2);
    expect(stillFound(both, 'checkout x')).to.deep.equal([]);
  });

  it('leads to its place and says what it is', () => {
    expect(entryOf(found({}))).to.deep.equal({
      title: 'Cart forgets coupons',
      about: 'Issue',
      of: 'checkout',
      state: 'In progress',
      goal: { address: '/teams/t/projects/p/issues?issue=i' },
    });
    expect(entryOf(found({ kind: 'release', id: 'r', name: '2.4', state: 'active' }))).to.deep.equal({
      before: 'checkout',
      title: '2.4',
      about: 'Release',
      state: 'Active',
      goal: { address: RELEASE },
    });
    expect(entryOf(found({ kind: 'project', id: 'p', name: 'checkout', state: null }))).to.deep.equal({
      title: 'checkout',
      about: 'Project',
      of: 'Core',
      goal: { address: '/teams/t/projects/p' },
    });
  });
});
