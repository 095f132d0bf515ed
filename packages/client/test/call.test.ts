import { expect } from 'chai';
import { prepare } from '../src/call.js';
import type { Operation } from '../src/contract/operation.js';
import { operations } from '../src/contract/operations.js';
import type {
  Answer,
  AxisReading,
  Client,
  Deployment,
  DeploymentFinish,
  DeploymentRequest,
  Input,
  PagedId,
  ProblemTypeOf,
  RowOf,
  TestRun,
  Unchanged,
} from '../src/index.js';
import { ROUTES } from '../src/routes.js';
import { checkedSettings } from '../src/settings.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Optional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;
type Resolved<F extends (...args: never) => unknown> = Awaited<ReturnType<F>>;

/** Compiles only for `true`. */
const holds = <Claim extends true>(claim: Claim): void => {
  expect(claim).to.equal(true);
};

describe('the types of a call', () => {
  it('take the body, path and query of the contract', () => {
    holds<Same<Input<'recordDeployment'>['body'], DeploymentRequest>>(true);
    holds<Same<Input<'finishDeployment'>['body'], DeploymentFinish>>(true);
    holds<Same<Input<'importDeployments'>['body'], readonly DeploymentRequest[]>>(true);
    holds<Same<keyof Input<'finishDeployment'>['path'], 'deployment_id'>>(true);
    holds<Same<Input<'listAxisRows'>['path']['axis'], string>>(true);
    holds<Same<Optional<Input<'listDeployments'>, 'query'>, true>>(true);
    holds<Same<Optional<Input<'listDeployments'>, 'path'>, false>>(true);
    holds<Same<Optional<Input<'recordDeployment'>, 'body'>, false>>(true);
    holds<Same<Optional<Input<'shipRelease'>, 'body'>, true>>(true);
    holds<Same<'body' extends keyof Input<'readGate'> ? true : false, false>>(true);
  });

  it('take keys and versions only where the operation does', () => {
    holds<Same<'idempotencyKey' extends keyof Input<'recordTestRun'> ? true : false, true>>(true);
    holds<Same<'idempotencyKey' extends keyof Input<'signIn'> ? true : false, false>>(true);
    holds<Same<Optional<Input<'replacePolicy'>, 'ifMatch'>, false>>(true);
    holds<Same<Optional<Input<'changeIssue'>, 'ifMatch'>, true>>(true);
    holds<Same<'ifMatch' extends keyof Input<'createIssue'> ? true : false, false>>(true);
  });

  it('answer the body of the contract, and that nothing changed only where an ETag was sent', () => {
    holds<Same<Resolved<Client['readDeployment']>['body']['data'], Deployment>>(true);
    holds<Same<Resolved<Client['signOut']>['body'], undefined>>(true);
    holds<Same<Resolved<Client['readMetrics']>['body'], string>>(true);
    const read = (client: Client, path: { team_id: string; project_id: string; release_id: string }) => ({
      plain: client.readGate({ path }),
      conditional: client.readGate({ path, ifNoneMatch: '"a"' }),
    });
    holds<Same<Awaited<ReturnType<typeof read>['plain']>['unchanged'], false>>(true);
    holds<Same<Awaited<ReturnType<typeof read>['conditional']>['unchanged'], boolean>>(true);
    holds<Same<Unchanged['body'], undefined>>(true);
    holds<Same<Answer<string>['body'], string>>(true);
  });

  it('narrow an axis by its name and state', () => {
    type Stability = Extract<AxisReading, { axis: 'stability'; state: 'measured' }>;
    holds<Same<Stability['facts']['change_failure_rate'], number | null>>(true);
    holds<Same<'score' extends keyof Extract<AxisReading, { state: 'unmeasured' }> ? true : false, false>>(true);
  });

  it('have a moment their issues are as of on scope and quality alone', () => {
    type Dated<Reading> = Reading extends unknown ? ('as_of' extends keyof Reading ? Reading : never) : never;
    holds<Same<Dated<AxisReading>['axis'], 'scope' | 'quality'>>(true);
    holds<Same<Dated<AxisReading>['as_of'], string | undefined>>(true);
  });

  it('iterate over the rows of the paged operations', () => {
    holds<Same<RowOf<'listDeployments'>, Deployment>>(true);
    holds<Same<RowOf<'listTestRuns'>, TestRun>>(true);
    const paged = Object.entries(ROUTES).flatMap(([id, route]) =>
      ['paged', 'pageable'].includes((route as readonly string[])[2] ?? '') ? [id] : [],
    );
    const typed: Readonly<Record<PagedId, true>> = {
      listPeople: true,
      readPortfolio: true,
      listAuditEntries: true,
      listTeamApiKeys: true,
      listPolicyVersions: true,
      listReleases: true,
      listHistory: true,
      readDifference: true,
      listGateChanges: true,
      listAxisRows: true,
      listIssues: true,
      listDeployments: true,
      listTestRuns: true,
      listAxisReports: true,
      listNotCounted: true,
      listRepositories: true,
      listMilestones: true,
      listDeliveries: true,
    };
    expect(paged).to.have.members(Object.keys(typed));
  });

  it('name the problems of an operation', () => {
    holds<Same<'no-active-release' extends ProblemTypeOf<'recordTestRun'> ? true : false, true>>(true);
    holds<Same<'release-active' extends ProblemTypeOf<'recordTestRun'> ? true : false, false>>(true);
    holds<Same<'version-required' extends ProblemTypeOf<'replacePolicy'> ? true : false, true>>(true);
  });

  it('refuse what the contract refuses', () => {
    const never = (client: Client): readonly unknown[] => [
      // @ts-expect-error a status of its own
      () => client.finishDeployment({ path: { deployment_id: 'x' }, body: { status: 'started' } }),
      // @ts-expect-error a misspelt member
      () => client.recordDeployment({ body: { app_name: 'a', enviroment: 'b', commit_sha: 'c', status: 'success' } }),
      // @ts-expect-error a missing path
      () => client.readGate({}),
      // @ts-expect-error a part without a whole
      () => client.recordAxisReport({ path: { team_id: 'a', project_id: 'b', axis: 'speed' }, body: { part: 1 } }),
      // @ts-expect-error pages of what has none
      () => client.pages.listTeams({}),
    ];
    expect(never).to.be.a('function');
    const streams = Object.entries<Operation>(operations).flatMap(([id, { stream }]) => (stream ? [id] : []));
    expect(streams).to.deep.equal(['followEvents']);
    expect(Object.keys(operations).filter((id) => !streams.includes(id))).to.have.members(Object.keys(ROUTES));
  });
});

const settings = checkedSettings({ baseUrl: 'https://acme.dev/x', apiKey: 'swk_k', userAgent: 'tool/1' });
const headersOf = (init: RequestInit) => new Headers(init.headers);

describe('prepare', () => {
  it('fills and escapes path and query, leaving out what is undefined', () => {
    const { url, init } = prepare(
      ['GET', '/api/teams/{team_id}/x/{id}'],
      {
        path: { team_id: 'a/b?c', id: '7' },
        query: { limit: 5, suite: 'a&b c', cursor: undefined },
      },
      settings,
    );
    expect(url).to.equal('https://acme.dev/x/api/teams/a%2Fb%3Fc/x/7?limit=5&suite=a%26b+c');
    expect(init)
      .to.include({ method: 'GET', redirect: 'manual', credentials: 'omit' })
      .and.not.to.have.property('body');
  });

  it('refuses a missing parameter and one that would reach another address', () => {
    for (const path of [undefined, {}, { id: '' }, { id: '.' }, { id: '..' }]) {
      expect(() => prepare(['GET', '/api/{id}'], path === undefined ? {} : { path }, settings)).to.throw(
        TypeError,
        'path.id',
      );
    }
  });

  it('puts the name of the repository host where it belongs', () => {
    const urlAt = (path: string) =>
      prepare(['GET', path], {}, checkedSettings({ baseUrl: 'https://acme.dev', repositoryHost: 'gitlab' })).url;
    expect(urlAt('/api/settings/github/check')).to.equal('https://acme.dev/api/settings/gitlab/check');
    expect(urlAt('/api/hooks/github')).to.equal('https://acme.dev/api/hooks/gitlab');
    for (const path of ['/api/settings/githubs', '/api/settings/api-keys', '/x/api/hooks/github'])
      expect(urlAt(path)).to.equal(`https://acme.dev${path}`);
    for (const repositoryHost of ['', 'GitLab', 'a/b', '../api-keys'])
      expect(() => checkedSettings({ baseUrl: 'https://acme.dev', repositoryHost })).to.throw(
        TypeError,
        'repositoryHost',
      );
  });

  it('sends key, agent, versions and further headers, its own last', () => {
    const { init } = prepare(
      ['PUT', '/api/x'],
      { body: { a: 1 }, ifMatch: 3, ifNoneMatch: '"e"', headers: { traceparent: 't', authorization: 'Bearer other' } },
      settings,
    );
    const headers = headersOf(init);
    expect(Object.fromEntries(headers)).to.deep.equal({
      accept: 'application/json',
      authorization: 'Bearer swk_k',
      'content-type': 'application/json',
      'if-match': '"3"',
      'if-none-match': '"e"',
      traceparent: 't',
      'user-agent': 'tool/1',
    });
    expect(init.body).to.equal('{"a":1}');
  });

  it('leaves credentials to the platform without a key', () => {
    expect(prepare(['GET', '/api/x'], {}, checkedSettings({ baseUrl: 'https://acme.dev' })).init).not.to.have.property(
      'credentials',
    );
  });

  it('makes a fresh idempotency key for each keyed call, or takes the given one', () => {
    const key = (input = {}) => prepare(['POST', '/api/x', 'keyed'], input, settings).idempotencyKey ?? '';
    expect(key())
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.to.equal(key());
    expect(key({ idempotencyKey: 'mine' })).to.equal('mine');
    const unkeyed = prepare(['POST', '/api/x'], {}, settings);
    expect(unkeyed.idempotencyKey).to.equal(null);
    expect(headersOf(unkeyed.init).has('idempotency-key')).to.equal(false);
  });
});
