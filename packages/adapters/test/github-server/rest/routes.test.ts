import { expect } from 'chai';
import { conformsToInterface } from '../../github/published-interface.js';
import { asking } from '../asking.js';
import { type GitHubServer, type Repository, startGitHubServer } from '../index.js';

const SHA = 'a'.repeat(40);
const AT = Date.UTC(2026, 0, 1);

describe('the REST interface of the local host', () => {
  let server: GitHubServer;
  let repository: Repository;
  let get: ReturnType<typeof asking>['get'];
  before(async () => {
    server = await startGitHubServer({ clock: () => AT });
    const { data } = server;
    repository = data.addRepository('acme/shop');
    const milestone = data.addMilestone(repository, { title: '1.0', dueOn: AT });
    data.addMilestone(repository, { title: '0.9', state: 'closed' });
    const issue = data.addIssue(repository, { title: 'Rounds wrong', labels: ['bug'], type: 'Bug', milestone });
    data.editIssue(issue, { state: 'not_planned', at: AT + 5000 });
    data.addIssue(repository, { title: 'A proposal', pullRequest: true, at: AT + 1000 });
    const deployment = data.addDeployment(repository, { sha: SHA });
    data.addStatus(deployment, 'waiting');
    data.addStatus(deployment, 'success', { logUrl: 'https://ci.example.com/1', at: AT + 60_000 });
    data.addCheckRun(repository, { sha: SHA }, { name: 'lint', conclusion: 'success' });
    const checks = [{ name: 'unit', conclusion: 'failure' as const }];
    data.addWorkflowRun(repository, { sha: SHA, name: 'CI', checks });
    get = asking(server).get;
  });
  after(() => server.close());

  /** Asks, and holds the answer against the published interface. */
  const told = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await get(`${path}?${new URLSearchParams(query)}`);
    conformsToInterface({ method: 'GET', path, query, status, body });
    return body;
  };

  it('answers as published', async () => {
    const root = '/repos/acme/shop';
    expect(await told('/user')).to.include({ login: 'octo' });
    expect(await told('/user/repos', { per_page: '100' })).to.have.length(1);
    expect(await told(root)).to.include({ full_name: 'acme/shop', id: repository.id });
    expect(await told(`${root}/milestones`, { state: 'all', per_page: '100' })).to.have.length(2);
    expect(await told(`${root}/milestones`)).to.have.length(1);
    expect(await told(`${root}/issues/1`)).to.include({ state: 'closed', state_reason: 'not_planned' });
    expect(await told(`${root}/deployments`, { environment: 'production' })).to.have.length(1);
    const [deployment] = repository.deployments;
    const statuses = (await told(`${root}/deployments/${deployment?.id}/statuses`)) as readonly object[];
    expect(statuses[0]).to.include({ state: 'success', log_url: 'https://ci.example.com/1' });
    expect(statuses).to.have.length(2);
    expect(await told(`${root}/commits/main/check-runs`, { filter: 'latest' })).to.include({ total_count: 2 });
    const runs = { branch: 'main', status: 'completed', per_page: '100' };
    expect(await told(`${root}/actions/runs`, runs)).to.include({ total_count: 1 });
    expect(await told(`${root}/actions/runs`, { branch: 'other' })).to.include({ total_count: 0 });
    expect(await told(`${root}/nothing/of/the/kind`).catch(() => 'not published')).to.equal('not published');
  });

  it('lists pull requests among issues, by the order asked for', async () => {
    const path = '/repos/acme/shop/issues';
    const listed = async (query: Readonly<Record<string, string>>) =>
      (await told(path, query)) as readonly { readonly number: number; readonly pull_request?: object }[];
    const newest = await listed({ state: 'all', sort: 'updated', direction: 'desc', per_page: '1' });
    expect(newest.map(({ number }) => number)).to.deep.equal([1]);
    const all = await listed({ state: 'all', sort: 'created', direction: 'asc' });
    expect(all.map(({ number, pull_request }) => [number, pull_request !== undefined])).to.deep.equal([
      [1, false],
      [2, true],
    ]);
    expect(await listed({})).to.have.length(1);
    expect(await listed({ state: 'all', since: '2026-01-01T00:00:05Z' })).to.have.length(1);
  });

  it('answers what is not there, or not for this account, alike', async () => {
    server.data.addRepository('acme/secret', { private: true, readers: ['somebody'] });
    for (const path of ['/repos/acme/secret', '/repos/acme/none', '/repos/acme/none/issues']) {
      const { status, body } = await get(path);
      conformsToInterface({ method: 'GET', path, status, body });
      expect([status, body]).to.deep.equal([404, (await get('/repos/acme/none')).body]);
    }
  });

  it('leads from the old path of a renamed repository to the new one', async () => {
    const renamed = server.data.addRepository('acme/old');
    server.data.renameRepository(renamed, 'acme/new');
    const path = '/repos/acme/old/milestones';
    const { status, body, headers } = await get(`${path}?state=all`);
    conformsToInterface({ method: 'GET', path: '/repos/acme/old', status, body });
    expect(status).to.equal(301);
    expect(headers.get('location')).to.equal(`${server.apiUrl}/repositories/${renamed.id}/milestones?state=all`);
    expect((await get(`/repositories/${renamed.id}/milestones`)).body).to.deep.equal([]);
    expect(await told('/repos/acme/new')).to.include({ id: renamed.id });
  });

  it('links pages to their neighbours', async () => {
    const long = server.data.addRepository('acme/long');
    for (let i = 0; i < 5; i += 1) server.data.addMilestone(long, { title: `m${i}` });
    const { headers, body } = await get('/repos/acme/long/milestones?per_page=2&page=2');
    expect(body).to.have.length(2);
    const link = headers.get('link') ?? '';
    expect(link.match(/rel="\w+"/g)).to.deep.equal(['rel="prev"', 'rel="next"', 'rel="last"', 'rel="first"']);
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '';
    expect((await get(next.slice(server.apiUrl.length))).body).to.have.length(1);
  });

  it('says nothing has changed to those who know, at no cost', async () => {
    const first = await get('/repos/acme/shop/issues');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).to.match(/^W\/"[0-9a-f]{64}"$/);
    const again = await get('/repos/acme/shop/issues', { 'if-none-match': etag });
    expect([again.status, again.body]).to.deep.equal([304, '']);
    expect(again.headers.get('x-ratelimit-remaining')).to.equal(first.headers.get('x-ratelimit-remaining'));
    server.validateBy('strong');
    expect((await get('/repos/acme/shop/issues')).headers.get('etag')).to.equal(etag.slice(2));
    server.validateBy('none');
    expect((await get('/repos/acme/shop/issues')).headers.get('etag')).to.equal(null);
    server.validateBy('weak');
    server.data.addIssue(repository, { title: 'One more' });
    expect((await get('/repos/acme/shop/issues', { 'if-none-match': etag })).status).to.equal(200);
  });
});
