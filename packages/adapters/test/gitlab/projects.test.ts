import { expect } from 'chai';
import { addProject } from '../gitlab-server/inhabitants.js';
import { refusalIn } from '../host-http/odd-server.js';
import { openedForEach } from './opened.js';

describe('projects of GitLab', () => {
  const opened = openedForEach();
  const list = (text: string | null, limit = 20, page: string | null = null) => {
    const { host, access } = opened();
    return host.reader.repositories(access(), { text, limit, page });
  };

  it('name the account of a grant', async () => {
    const { host, access } = opened();
    expect(await host.reader.account(access())).to.deep.equal({ id: '7', name: 'ada' });
  });

  it('are found by path, wherever they are', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/web/shop', { visibility: 'public', default_branch: 'trunk' });
    expect(await host.reader.repository(access(), 'acme/web/shop')).to.deep.equal({
      id: String(project.id),
      path: 'acme/web/shop',
      url: project.web_url,
      private: false,
      archived: false,
      defaultBranch: 'trunk',
    });
    expect(server.seen[0]?.path).to.equal('/api/v4/projects/acme%2Fweb%2Fshop');
  });

  it('have an address of the web, or the answer is not taken for one of GitLab', async () => {
    const { server, host, access } = opened();
    addProject(server.world, 'acme/shop', { web_url: 'javascript:alert(1)' });
    const refusal = await refusalIn(host.reader.repository(access(), 'acme/shop'));
    expect(refusal.code).to.equal('host-unavailable');
  });

  it('do not exist for those who are no members', async () => {
    const { server, host, access } = opened();
    addProject(server.world, 'bobs/own', { members: ['bob'] });
    for (const path of ['bobs/own', 'no/such', 'acme', '7', '..', '']) {
      expect((await refusalIn(host.reader.repository(access(), path))).code, path).to.equal('not-found');
    }
    expect((await list(null)).rows).to.deep.equal([]);
  });

  it('come in pages, by path', async () => {
    const { world } = opened().server;
    for (const name of ['c', 'a', 'e', 'b', 'd']) addProject(world, `acme/${name}`);
    const first = await list(null, 3);
    const second = await list(null, 3, first.next);
    const paths = [...first.rows, ...second.rows].map(({ path }) => path);
    expect(paths).to.deep.equal(['acme/a', 'acme/b', 'acme/c', 'acme/d', 'acme/e']);
    expect(second.next).to.equal(null);
  });

  it('are searched by a part of the path in any case, not by what else GitLab looks at', async () => {
    const { world } = opened().server;
    addProject(world, 'acme/shop');
    addProject(world, 'acme/other', { name: 'Shop archive' });
    expect((await list('SHO')).rows.map(({ path }) => path)).to.deep.equal(['acme/shop']);
  });

  it('are private unless everybody may see them, and have a branch even when empty', async () => {
    addProject(opened().server.world, 'acme/new', { visibility: 'internal', default_branch: null, archived: true });
    const [row] = (await list(null)).rows;
    expect(row).to.deep.include({ private: true, archived: true, defaultBranch: 'main' });
  });

  it('refuse a page that was never given out', async () => {
    for (const page of ['x', '0', '-1', '1e3', '99999999']) {
      expect((await refusalIn(list(null, 20, page))).code, page).to.equal('invalid');
    }
  });
});
