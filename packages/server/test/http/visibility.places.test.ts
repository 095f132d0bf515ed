import { operations } from '@shipworthy/client/contract';
import type { ChecklistItem, DomainError, Issue, Principal, Project, Release, Team } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { createVisibility } from '../../src/http/visibility.js';
import { type BareService, startBare } from '../harness/bare-service.js';

const UNKNOWN = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

describe('What a path names', () => {
  let service: BareService;
  let principal: Principal;
  let team: Team;
  let project: Project;
  let other: Project;
  let release: Release;
  let issue: Issue;
  let item: ChecklistItem;
  /** The nouns that are not stored here, as their stores would answer. */
  let stored: Record<
    'testRun' | 'report' | 'webhook' | 'delivery' | 'waiver' | 'deployment',
    { id: string; projectId: string }
  >;
  let ports: Pick<Ports, 'stores' | 'lookups'>;
  let queries: string[] = [];

  before(async () => {
    service = await startBare();
    const { world } = service;
    const ada = await world.person('Ada');
    team = await world.team(ada, 'Payments');
    project = await world.project(ada, team, 'checkout');
    other = await world.project(ada, team, 'index');
    release = await world.release(ada, project, '2.4');
    issue = await world.issue(ada, project, { title: 'cart', releaseId: null });
    const [first] = await service.ports.stores.checklists.ofRelease(release.id);
    if (first === undefined) throw new Error('no checklist');
    const evidence = { id: service.ports.newId(), url: 'https://acme.dev', label: 'page', addedBy: 'Ada', addedAt: 0 };
    await service.ports.stores.checklists.addEvidence(first.id, evidence);
    item = (await service.ports.stores.checklists.byId(first.id)) ?? first;
    ({ principal } = await world.actor(ada));
    const one = () => ({ id: service.ports.newId(), projectId: project.id });
    stored = { testRun: one(), webhook: one(), delivery: one(), waiver: one(), deployment: one(), report: one() };
    const { stores, lookups } = service.ports;
    const only = (noun: { readonly id: string }) => async (id: string) => (id === noun.id ? noun : undefined);
    const noting =
      <Answer>(name: string, ask: (id: string) => Promise<Answer>) =>
      (id: string) => {
        queries.push(name);
        return ask(id);
      };
    ports = {
      stores: {
        ...stores,
        projects: { ...stores.projects, byId: noting('project', stores.projects.byId) },
        releases: { ...stores.releases, byId: noting('release', stores.releases.byId) },
        issues: { ...stores.issues, byId: noting('issue', stores.issues.byId) },
        testRuns: { ...stores.testRuns, byId: only(stored.testRun) },
        axisReports: {
          ...stores.axisReports,
          byIds: (ids: readonly string[]) => Promise.all(ids.map(only(stored.report))),
        },
        webhooks: {
          ...stores.webhooks,
          byId: only(stored.webhook),
          delivery: async (webhookId: string, id: string) =>
            webhookId === stored.webhook.id ? only(stored.delivery)(id) : undefined,
        },
        waivers: {
          ...stores.waivers,
          ofRelease: async (releaseId: string) => (releaseId === release.id ? [{ id: 'x' }, stored.waiver] : []),
        },
      },
      lookups: { ...lookups, deployment: only(stored.deployment) },
    } as unknown as typeof ports;
  });
  after(() => service.close());
  beforeEach(() => {
    queries = [];
  });

  const ids = () => ({
    team_id: team.id,
    project_id: project.id,
    release_id: release.id,
    issue_id: issue.id,
    test_run_id: stored.testRun.id,
    report_id: stored.report.id,
    axis: 'security',
    webhook_id: stored.webhook.id,
    delivery_id: stored.delivery.id,
    item_id: item.id,
    evidence_id: item.evidence[0]?.id ?? '',
    waiver_id: stored.waiver.id,
    deployment_id: stored.deployment.id,
  });
  const place = async (
    operation: keyof typeof operations,
    over: Partial<ReturnType<typeof ids>> = {},
    by: Principal | null = principal,
  ) => createVisibility(ports)(operations[operation])({ ...ids(), ...over }, by);
  const missing = async (...given: Parameters<typeof place>): Promise<unknown> =>
    place(...given).then(
      () => 'found',
      (error: DomainError) => error.details?.what ?? error.message,
    );

  it('is found with all that contains it', async () => {
    const inTeam = { teamId: team.id, role: 'owner' };
    const inProject = { ...inTeam, projectId: project.id };
    const inRelease = { ...inProject, releaseId: release.id };
    expect(await place('readIssue')).to.deep.equal({ ...inProject, issue });
    expect(await place('readTestRun')).to.deep.equal({ ...inProject, testRun: stored.testRun });
    expect(await place('readAxisReport')).to.deep.equal({ ...inProject, report: stored.report });
    expect(await place('readWebhook')).to.deep.equal({ ...inProject, webhook: stored.webhook });
    const { webhook, delivery } = stored;
    expect(await place('replayDelivery')).to.deep.equal({ ...inProject, webhook, delivery });
    expect(await place('changeChecklistItem')).to.deep.equal({ ...inRelease, item });
    expect(await place('removeEvidence')).to.deep.equal({ ...inRelease, item, evidence: item.evidence[0] });
    expect(await place('withdrawWaiver')).to.deep.equal({ ...inRelease, waiver: stored.waiver });
    expect(await place('readDeployment')).to.deep.equal({ ...inTeam, deployment: stored.deployment });
    // Who is meant in the team is for the route to find.
    const member = createVisibility(ports)(operations.removeMember);
    expect(await member({ team_id: team.id, user_id: UNKNOWN }, principal)).to.deep.equal(inTeam);
  });

  it('is called by its own name when there is none', async () => {
    const gone = async (operation: keyof typeof operations, name: keyof ReturnType<typeof ids>) =>
      missing(operation, { [name]: UNKNOWN });
    expect(await gone('readIssue', 'team_id')).to.equal('team');
    expect(await gone('readIssue', 'project_id')).to.equal('project');
    expect(await gone('readRelease', 'release_id')).to.equal('release');
    expect(await gone('readIssue', 'issue_id')).to.equal('issue');
    expect(await gone('readTestRun', 'test_run_id')).to.equal('test run');
    expect(await gone('readAxisReport', 'report_id')).to.equal('report');
    expect(await gone('readWebhook', 'webhook_id')).to.equal('webhook');
    expect(await gone('replayDelivery', 'delivery_id')).to.equal('delivery');
    expect(await gone('changeChecklistItem', 'item_id')).to.equal('checklist item');
    expect(await gone('removeEvidence', 'evidence_id')).to.equal('evidence');
    expect(await gone('withdrawWaiver', 'waiver_id')).to.equal('waiver');
    expect(await gone('readDeployment', 'deployment_id')).to.equal('deployment');
  });

  it('is not found under another project', async () => {
    const elsewhere = { project_id: other.id };
    expect(await missing('readRelease', elsewhere)).to.equal('release');
    expect(await missing('readIssue', elsewhere)).to.equal('issue');
    expect(await missing('readTestRun', elsewhere)).to.equal('test run');
    expect(await missing('readAxisReport', elsewhere)).to.equal('report');
    expect(await missing('readWebhook', elsewhere)).to.equal('webhook');
  });

  it('is not shown to a key of another project', async () => {
    const keyOf = (projectId: string): Principal => ({
      ...principal,
      kind: 'api_key',
      home: { teamIds: [team.id], projectId },
    });
    const elsewhere = keyOf(other.id);
    expect(await missing('readRelease', {}, elsewhere)).to.equal('project');
    expect(await missing('readDeployment', {}, elsewhere)).to.equal('deployment');
    expect(await missing('readRelease', {}, keyOf(project.id))).to.equal('found');
    expect(await missing('readDeployment', {}, keyOf(project.id))).to.equal('found');
  });

  it('is not shown to others, in sight of whom a deployment names no team', async () => {
    const stranger = { ...principal, roles: new Map() };
    expect(await missing('readDeployment', {}, stranger)).to.equal('deployment');
    stored.deployment.projectId = UNKNOWN;
    expect(await missing('readDeployment')).to.equal('deployment');
    stored.deployment.projectId = project.id;
  });

  it('is empty without a principal', async () => {
    expect(await place('readIssue', {}, null)).to.deep.equal({});
    expect(queries).to.deep.equal([]);
  });

  it('costs a query once for a project and once for a release, as long as they are there', async () => {
    const find = createVisibility(ports)(operations.readRelease);
    for (let round = 0; round < 3; round += 1) await find(ids(), principal);
    expect(queries).to.deep.equal(['project', 'release']);
    expect(find(ids(), principal)).to.not.be.instanceOf(Promise);
    queries = [];
    const deployment = createVisibility(ports)(operations.readDeployment);
    for (let round = 0; round < 2; round += 1) await deployment(ids(), principal);
    expect(queries).to.deep.equal(['project']);
    queries = [];
    for (const over of [{ project_id: UNKNOWN }, { release_id: UNKNOWN }])
      for (let round = 0; round < 2; round += 1)
        await Promise.resolve(find({ ...ids(), ...over }, principal)).catch(() => undefined);
    expect(queries).to.deep.equal(['project', 'project', 'release', 'release']);
  });

  it('costs one query of its own where all that contains it is known, and none where it is known to be elsewhere', async () => {
    const find = createVisibility(ports);
    const [release, issue] = [find(operations.readRelease), find(operations.readIssue)];
    for (const project_id of [project.id, other.id])
      await Promise.resolve(release({ ...ids(), project_id }, principal)).catch(() => undefined);
    queries = [];
    await issue(ids(), principal);
    expect(queries).to.deep.equal(['issue']);
    queries = [];
    const refused = await Promise.resolve(release({ ...ids(), project_id: other.id }, principal)).catch(String);
    expect([refused, queries]).to.deep.equal(['DomainError: There is no such release.', []]);
  });

  it('has a UUID for an id, and a word where the contract lists words', async () => {
    for (const id of [`0${UNKNOWN}`, `${UNKNOWN}0`, 'checkout', ''])
      expect(await missing('readTestRun', { test_run_id: id })).to.equal(
        'There is no such test run: ids are UUIDs; the slugs of browser addresses are not ids.',
      );
    const find = createVisibility(ports)(operations.listAxisRows);
    const place = await find({ ...ids(), axis: 'scope' }, principal);
    expect(place).to.deep.equal({ teamId: team.id, role: 'owner', projectId: project.id, releaseId: release.id });
  });
});
