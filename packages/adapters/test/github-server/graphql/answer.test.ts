import { expect } from 'chai';
import { asking } from '../asking.js';
import { type GitHubServer, startGitHubServer } from '../index.js';

const AT = Date.UTC(2026, 0, 1);
const PAGE = `query page($after: String, $since: DateTime, $direction: OrderDirection = ASC) {
  repository(owner: "acme", name: "shop") {
    issues(first: 2, after: $after, filterBy: { since: $since }, orderBy: { field: UPDATED_AT, direction: $direction }) {
      totalCount
      nodes { title stateReason issueType { name } milestone { title } labels(first: 5) { nodes { name } }
        timelineItems(first: 10, itemTypes: [MILESTONED_EVENT, CLOSED_EVENT]) { nodes { __typename ... on ClosedEvent { stateReason } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

interface Page {
  readonly repository: {
    readonly issues: {
      readonly totalCount: number;
      readonly nodes: readonly { readonly title: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

describe('the GraphQL interface of the local host', () => {
  let server: GitHubServer;
  let query: ReturnType<typeof asking>['query'];
  beforeEach(async () => {
    server = await startGitHubServer();
    query = asking(server).query;
    const shop = server.data.addRepository('acme/shop');
    const milestone = server.data.addMilestone(shop, { title: '1.0' });
    for (let i = 0; i < 5; i += 1) {
      server.data.addIssue(shop, { title: `i${i}`, at: AT + i * 1000, labels: ['bug'], milestone, type: 'Bug' });
    }
    server.data.addIssue(shop, { title: 'a proposal', pullRequest: true });
  });
  afterEach(() => server.close());

  const pageFrom = async (variables: object): Promise<Page['repository']['issues']> => {
    const { body } = await query(PAGE, variables);
    expect(body.errors).to.equal(undefined);
    return (body.data as unknown as Page).repository.issues;
  };
  const titles = ({ nodes }: Page['repository']['issues']): readonly string[] => nodes.map(({ title }) => title);

  it('pages through issues by cursor, in the order asked for, without pull requests', async () => {
    const first = await pageFrom({});
    expect([first.totalCount, titles(first)]).to.deep.equal([5, ['i0', 'i1']]);
    const second = await pageFrom({ after: first.pageInfo.endCursor });
    const third = await pageFrom({ after: second.pageInfo.endCursor });
    expect([...titles(second), ...titles(third)]).to.deep.equal(['i2', 'i3', 'i4']);
    expect(third.pageInfo.hasNextPage).to.equal(false);
    const back = await pageFrom({ direction: 'DESC' });
    expect(titles(await pageFrom({ direction: 'DESC', after: back.pageInfo.endCursor }))).to.deep.equal(['i2', 'i1']);
    expect(titles(await pageFrom({ since: '2026-01-01T00:00:03Z' }))).to.deep.equal(['i3', 'i4']);
  });

  it('shows what changes during a reading again at its end', async () => {
    const { pageInfo } = await pageFrom({});
    const changed = server.data.repositoryAt('acme/shop')?.repository.issues[0];
    if (changed === undefined) throw new Error('no issue');
    server.data.editIssue(changed, { state: 'duplicate', at: AT + 60_000 });
    const second = await pageFrom({ after: pageInfo.endCursor });
    const third = await pageFrom({ after: second.pageInfo.endCursor });
    expect(titles(second)).to.deep.equal(['i2', 'i3']);
    expect(third.nodes.map(({ title }) => title)).to.deep.equal(['i4', 'i0']);
    expect(third.nodes[1]).to.deep.equal({
      title: 'i0',
      stateReason: 'NOT_PLANNED',
      issueType: { name: 'Bug' },
      milestone: { title: '1.0' },
      labels: { nodes: [{ name: 'bug' }] },
      timelineItems: {
        nodes: [{ __typename: 'MilestonedEvent' }, { __typename: 'ClosedEvent', stateReason: 'DUPLICATE' }],
      },
    });
  });

  it('answers faults of a query with status 200', async () => {
    const unknown = await query('{ repository(owner: "acme", name: "none") { id } }');
    expect(unknown.status).to.equal(200);
    expect(unknown.body.data).to.deep.equal({ repository: null });
    expect(unknown.body.errors?.[0]).to.include({ type: 'NOT_FOUND' });
    const { body } = await query('{ viewer { surname } }');
    expect(body.errors?.[0]).to.deep.include({ message: "Field 'surname' doesn't exist on type 'User'" });
    const boundless = await query('{ repository(owner: "acme", name: "shop") { issues { totalCount } } }');
    expect(boundless.body.errors?.[0]).to.include({ type: 'MISSING_PAGINATION_BOUNDARIES' });
    const excessive = await query('{ repository(owner: "acme", name: "shop") { issues(first: 101) { totalCount } } }');
    expect(excessive.body.errors?.[0]).to.include({ type: 'EXCESSIVE_PAGINATION' });
    expect((await query('{')).body.errors).to.have.length(1);
  });

  it('answers null and an error for each unknown node, and the others', async () => {
    const [issue] = server.data.repositoryAt('acme/shop')?.repository.issues ?? [];
    const text = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Issue { title } } }';
    const { body } = await query(text, { ids: ['I_gone', issue?.nodeId] });
    expect(body.data).to.deep.equal({ nodes: [null, { __typename: 'Issue', title: 'i0' }] });
    expect(body.errors?.[0]).to.deep.include({ type: 'NOT_FOUND', path: ['nodes', 0] });
  });

  it('answers deployments and the check runs of suites', async () => {
    const shop = server.data.repositoryAt('acme/shop')?.repository;
    if (shop === undefined) throw new Error('no repository');
    const deployment = server.data.addDeployment(shop, { sha: 'a'.repeat(40), at: AT });
    server.data.addStatus(deployment, 'in_progress', { at: AT + 1000 });
    server.data.addStatus(deployment, 'success', { at: AT + 2000 });
    const checks = [{ name: 'unit', conclusion: 'timed_out' as const, completedAt: AT }];
    const run = server.data.addWorkflowRun(shop, { sha: 'b'.repeat(40), name: 'CI', checks });
    const { body } = await query(
      `query($suite: ID!) {
        repository(owner: "acme", name: "shop") { deployments(first: 5) { nodes { commitOid statuses(first: 5) { nodes { state createdAt } } } } }
        node(id: $suite) { ... on CheckSuite { checkRuns(first: 5) { nodes { name conclusion completedAt } } } }
        rateLimit { limit remaining }
      }`,
      { suite: run.suite.nodeId },
    );
    const states = [
      { state: 'SUCCESS', createdAt: '2026-01-01T00:00:02Z' },
      { state: 'IN_PROGRESS', createdAt: '2026-01-01T00:00:01Z' },
    ];
    expect(body).to.deep.equal({
      data: {
        repository: { deployments: { nodes: [{ commitOid: 'a'.repeat(40), statuses: { nodes: states } }] } },
        node: {
          checkRuns: { nodes: [{ name: 'unit', conclusion: 'TIMED_OUT', completedAt: '2026-01-01T00:00:00Z' }] },
        },
        rateLimit: { limit: 5000, remaining: 5000 },
      },
    });
  });

  it('knows no types of issues when it acts as an older server', async () => {
    const older = await startGitHubServer({ issueTypes: false });
    older.data.addRepository('acme/shop');
    const { body } = await asking(older).query(PAGE);
    await older.close();
    expect(body.errors?.[0]).to.deep.include({ message: "Field 'issueType' doesn't exist on type 'Issue'" });
  });
});
