import type { Team } from '@shipworthy/client';
import { expect } from 'chai';
import { keyLines, projectOf, scopesText } from '../../../src/screens/settings/key-words.js';

describe('scopesText', () => {
  it('reads as a list, in the order they are offered in', () => {
    expect(scopesText(['test-runs:write', 'read'])).to.equal('Read, report test runs');
    expect(scopesText(['deployments:write'])).to.equal('Report deployments');
  });
});

const key = { key: 'swk_abc', scopes: ['read', 'deployments:write', 'test-runs:write'] } as const;
const project = { teamId: 't', id: 'p', name: "Ada's shop" };
const address = 'https://ready.example';
const titles = (given: Parameters<typeof keyLines>[0]) => keyLines(given).map(({ title }) => title);

const team = (id: string, ...projects: readonly string[]): Team => ({
  id,
  name: id,
  slug: id,
  version: 1,
  demo: false,
  created_at: '2026-11-20T09:30:00.000Z',
  archived_at: null,
  projects: projects.map((name) => ({
    id: `${id}-${name}`,
    name,
    slug: name,
    archived_at: null,
    active_release: null,
  })),
});

describe('keyLines', () => {
  it('puts the key in one place only, which the others read', () => {
    const lines = keyLines({ address, key, project });
    expect(lines.filter(({ text }) => text.includes('swk_abc')).map(({ title }) => title)).to.deep.equal([
      'Settings for both ways',
    ]);
    expect(lines[0]?.text).to.equal(
      'export SHIPWORTHY_API_URL=https://ready.example\nexport SHIPWORTHY_API_KEY=swk_abc',
    );
  });

  it('reports for a project only if the key may, and there is one', () => {
    const checking = ['Settings for both ways', 'See that it works'];
    expect(titles({ address, key, project })).to.deep.equal([...checking, 'With the command', 'With curl']);
    expect(titles({ address, key, project: undefined })).to.deep.equal(checking);
    expect(titles({ address, key: { ...key, scopes: ['read', 'test-runs:write'] }, project })).to.deep.equal(checking);
  });
});

describe('projectOf', () => {
  it('is the first one that the key sees', () => {
    const teams = [team('empty'), team('core', 'checkout', 'search'), team('pay', 'till')];
    expect(projectOf(teams, { team_id: null, project_id: null })).to.deep.equal({
      teamId: 'core',
      id: 'core-checkout',
      name: 'checkout',
    });
    const one = { team_id: 'core', project_id: 'core-search' };
    expect(projectOf(teams, one)?.name).to.equal('search');
    expect(projectOf(teams, { team_id: 'pay', project_id: null })?.name).to.equal('till');
    expect(projectOf(teams, { team_id: 'empty', project_id: null })).to.equal(undefined);
    expect(projectOf([], { team_id: null, project_id: null })).to.equal(undefined);
  });
});
