import { expect } from 'chai';
import { readHost } from '../../src/baseline/host-reading.js';
import { type Host, startHost } from '../../src/host/host-process.js';
import { openWorkshop, type Workshop } from '../../src/process/workshop.js';

const PATH = 'acme/shop';
const rows = (list: string): string =>
  `query ${list}($owner: String!, $repo: String!, $first: Int!, $after: String) {
    repository(owner: $owner, name: $repo) {
      ${list}(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
    }
  }`;
const QUERIES = { issues: rows('issues'), deployments: rows('deployments') };
const NOTHING = { conditional: 0, notModified: 0, rest: 0, graphql: 0 };

const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'nothing failed', String);

describe('the process of the host', () => {
  let workshop: Workshop;
  let host: Host;

  before(async () => {
    workshop = openWorkshop();
    host = await startHost(workshop);
    await host.fill({ path: PATH, issues: 250, deployments: 120 });
  });
  after(() => workshop.close());

  const read = (token = host.token) => readHost({ apiUrl: host.apiUrl, token, path: PATH, ...QUERIES });

  it('is read plainly, page after page, and tells what it was asked', async () => {
    expect(await failure(host.queries())).to.include('The host was not asked for pages of issues.');
    await host.traffic();
    expect(await read()).to.include({ requests: 6, issues: 250, deployments: 120 });
    expect(await host.traffic()).to.deep.equal({ ...NOTHING, rest: 1, graphql: 5 });
    expect(await host.traffic()).to.deep.equal(NOTHING);
    expect(await host.queries()).to.deep.equal(QUERIES);
  });

  it('lets no one read without a token', async () => {
    expect(await failure(read('gho_none'))).to.include('was answered 401');
  });

  it('counts what it has, as it changes', async () => {
    const before = await host.count(PATH);
    expect(before).to.include({ issues: 250, deployments: 120 });
    expect(before.milestones).to.have.length(10);
    await host.beginDeployments(PATH, 5);
    expect(await host.changeIssues(PATH, 50)).to.equal(5);
    expect(await host.changeIssues(PATH, 0)).to.equal(0);
    const after = await host.count(PATH);
    expect(after).to.include({ issues: 250, deployments: 125 });
    expect(after.milestones).to.not.deep.equal(before.milestones);
  });

  it('fails and recovers on order, and refuses the tokens it is told to', async () => {
    await host.inject({ kind: 'error', status: 502 }, { times: 1, path: '/api/v3/' });
    expect(await failure(read())).to.include('502');
    await host.inject({ kind: 'error', status: 500 });
    await host.calm();
    expect(await read()).to.include({ issues: 250 });
    await host.shut();
    expect(await failure(read())).to.include('fetch failed');
    await host.open();
    expect(await read()).to.include({ issues: 250 });
    expect(await host.leaked()).to.equal(false);
    await host.revoke();
    expect(await failure(read())).to.include('was answered 401');
  });

  it('says what it cannot do', async () => {
    expect(await failure(host.count('acme/none'))).to.include('There is no repository acme/none at the host.');
  });
});
