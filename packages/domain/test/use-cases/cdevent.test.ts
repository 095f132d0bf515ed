import { lookups } from '@shipworthy/adapters/group-commit';
import { expect } from 'chai';
import type { CdEvent, ServiceEvent, SuiteRunEvent } from '../../src/cdevent.js';
import { type CdEventReceipt, findEventProject, receiveCdEvent, setEventSources } from '../../src/use-cases/cdevent.js';
import { createProject, namesOnce } from '../../src/use-cases/project.js';
import { COMMIT, serviceEvent, suiteRunEvent } from '../cdevent/event-of.js';
import { pointers, refused } from '../refusal.js';
import { counted } from './counted.js';
import { type ProjectScene, projectScene, releaseScene } from './scene.js';
import { actions, HOUR, needing, withRoles } from './world.js';

const receive = (here: ProjectScene, event: CdEvent, { by = here.member, base = '' } = {}) =>
  receiveCdEvent(here, { principal: by.principal, needs: 'member', event, base });
/** What was made of an event, now or before. */
const made = (receipt: CdEventReceipt) => {
  if (receipt.kind === 'none') throw new Error(receipt.reason);
  const { result } = receipt;
  return { result, id: receipt.kind === 'deployment' ? receipt.view.deployment.id : receipt.view.testRun.id };
};
const all = { limit: 200, after: null } as const;
const stored = async ({ stores, project: { id: projectId } }: ProjectScene) => ({
  deployments: (await stores.deployments.page({ projectId }, all)).rows,
  testRuns: (await stores.testRuns.page({ projectId }, all)).rows,
});

describe('Receiving a CDEvent', () => {
  it('records a service event as a deployment of the project it names', async () => {
    const here = await releaseScene();
    const receipt = await receive(here, serviceEvent({ kind: 'service.rolledback' }));
    if (receipt.kind !== 'deployment') throw new Error(receipt.kind);
    expect(receipt.result).to.equal('created');
    expect(receipt.view.deployment).to.include({
      appName: 'Shop',
      commitSha: COMMIT,
      status: 'success',
      isReturn: true,
    });
    const line = { id: here.release.id, counts: false, reason: 'rollback_pending_outcome' };
    expect(receipt.view.attribution.releases[0]).to.include(line);
    expect((await stored(here)).deployments).to.deep.equal([receipt.view.deployment]);
  });
  it('records a finished suite as a test run of the active release, by the name or the id of the project', async () => {
    const here = await releaseScene();
    const byId = suiteRunEvent({ appName: null, projectId: here.project.id, external: { id: 'b', fingerprint: 'b' } });
    for (const event of [suiteRunEvent(), byId]) {
      const receipt = await receive(here, event);
      if (receipt.kind !== 'test_run') throw new Error(receipt.kind);
      expect(receipt.view.testRun).to.include({ releaseId: here.release.id, suite: 'unit', total: 1, passed: 1 });
    }
    expect((await stored(here)).testRuns).to.have.length(2);
  });
  it('answers the first record when an event comes again, at any time and in any number', async () => {
    const here = await releaseScene();
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const together = await Promise.all([1, 2, 3].map(() => receive(here, event)));
      here.time.now += HOUR;
      const receipts = [...together, await receive(here, event)].map(made);
      expect(new Set(receipts.map(({ id }) => id)).size).to.equal(1);
      expect(receipts.map(({ result }) => result).sort()).to.deep.equal(['created', ...Array(3).fill('duplicate')]);
    }
    const { deployments, testRuns } = await stored(here);
    expect([deployments.length, testRuns.length]).to.deep.equal([1, 1]);
  });
  it('answers the record of an earlier version, which has the former name and says the same', async () => {
    const here = await releaseScene();
    const FORMER = 'cdevents:/ci#a#b';
    const named = (id: string, formerName: string | null, fingerprint: string) => ({
      external: { id, fingerprint },
      formerName,
    });
    for (const eventOf of [serviceEvent, suiteRunEvent]) {
      const former = made(await receive(here, eventOf(named(FORMER, null, 'same'))));
      const again = made(await receive(here, eventOf(named('cdevents:sha256:1', FORMER, 'same'))));
      expect(again).to.deep.equal({ result: 'duplicate', id: former.id });
      const other = made(await receive(here, eventOf(named('cdevents:sha256:2', FORMER, 'other'))));
      expect(other.result).to.equal('created');
    }
  });
  it('refuses another event under the same id', async () => {
    const here = await releaseScene();
    await receive(here, serviceEvent());
    const other = serviceEvent({
      environment: 'staging',
      external: { id: 'cdevents:/ci/acme#1', fingerprint: 'other' },
    });
    await refused(receive(here, other), 'external-id-conflict');
  });
  it('records nothing of other types and of canceled runs', async () => {
    const here = await releaseScene();
    expect(await receive(here, { kind: 'other' })).to.deep.equal({ kind: 'none', reason: 'type_not_used' });
    const canceled = suiteRunEvent({ outcome: 'cancel', appName: 'Nobody' });
    expect(await receive(here, canceled)).to.deep.equal({ kind: 'none', reason: 'run_canceled' });
    expect(await stored(here)).to.deep.equal({ deployments: [], testRuns: [] });
  });
  it('points into the event that was sent', async () => {
    const here = await releaseScene();
    await createProject(here, { by: here.member, teamId: here.teamId, name: 'Basket' });
    const at = here.time.now + HOUR;
    const faultsOf = async (event: CdEvent, code: 'invalid' | 'unknown-app-name' | 'app-name-mismatch') =>
      pointers((await refused(receive(here, event, { base: '/data' }), code)).details.faults);
    expect(await faultsOf(serviceEvent({ at }), 'invalid')).to.deep.equal(['/data/context/timestamp']);
    expect(await faultsOf(serviceEvent({ subjectId: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/subject/id',
    ]);
    expect(await faultsOf(serviceEvent({ appName: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/customData/app_name',
    ]);
    expect(await faultsOf(suiteRunEvent({ appName: 'Shoop' }), 'unknown-app-name')).to.deep.equal([
      '/data/customData/app_name',
    ]);
    expect(
      await faultsOf(suiteRunEvent({ appName: 'X', projectId: here.project.id }), 'app-name-mismatch'),
    ).to.deep.equal(['/data/customData/app_name']);
    const counts = { total: 1, passed: 1, failed: 1, skipped: null };
    expect(await faultsOf(suiteRunEvent({ at, counts }), 'invalid')).to.deep.equal([
      '/data/customData/total',
      '/data/context/timestamp',
    ]);
  });
  it('is for members, and sees nothing of other teams', async () => {
    const here = await releaseScene();
    const byId = suiteRunEvent({ appName: null, projectId: here.project.id });
    for (const event of [serviceEvent(), suiteRunEvent(), byId])
      await refused(receive(here, event, { by: needing('member', here.viewer) }), 'forbidden');
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const { details } = await refused(receive(here, event, { by: here.stranger }), 'unknown-app-name');
      expect(details.nearest).to.deep.equal([]);
    }
    const { details } = await refused(receive(here, byId, { by: here.stranger }), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['/customData/project_id']);
    expect(await stored(here)).to.deep.equal({ deployments: [], testRuns: [] });
  });
  it('asks which project is meant when two in sight have the name', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await createProject(here, { by: here.stranger, teamId, name: 'Shop' });
    const by = withRoles(here.member, { [here.teamId]: 'member', [teamId]: 'member' });
    for (const event of [serviceEvent(), suiteRunEvent()]) {
      const { details } = await refused(receive(here, event, { by }), 'ambiguous-app-name');
      expect(details.candidates).to.have.length(2);
      await receive(here, { ...event, projectId: here.project.id }, { by });
    }
  });
  it('needs an active release for a test run, and none for a deployment', async () => {
    const here = await projectScene();
    await refused(receive(here, suiteRunEvent()), 'no-active-release');
    expect(await receive(here, serviceEvent())).to.include({ kind: 'deployment', result: 'created' });
  });
});

const untold = (over: Partial<SuiteRunEvent> = {}) => suiteRunEvent({ appName: null, ...over });

const find = (here: ProjectScene, event: ServiceEvent | SuiteRunEvent, by = here.member) =>
  findEventProject(here, needing('member', by), event);
const nameFor = async (...given: Parameters<typeof find>) => (await find(...given)).name;

/** Shop and Basket in the team, Search of the stranger, and a person who is a member of both teams. */
const scene = async () => {
  const here = await projectScene();
  const basket = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Basket' });
  const [otherTeam = ''] = here.stranger.principal.roles.keys();
  const search = await createProject(here, { by: here.stranger, teamId: otherTeam, name: 'Search' });
  const both = withRoles(here.member, { [here.teamId]: 'member', [otherTeam]: 'member' });
  const map = (project: { id: string; teamId: string }, ...sources: string[]) =>
    here.stores.eventSources.replace(project, sources);
  return { here, basket, search, both, map };
};

describe('Finding the project of an event', () => {
  it('takes the one that custom data names, even when other parts name another one', async () => {
    const { here, basket, map } = await scene();
    await map(here.project, '/ci/acme', 'service/Shop');
    for (const event of [suiteRunEvent(), serviceEvent()]) {
      expect(await nameFor(here, { ...event, appName: 'Basket' })).to.equal('Basket');
      expect(await nameFor(here, { ...event, appName: null, projectId: basket.id })).to.equal('Basket');
      await refused(find(here, { ...event, appName: 'Nobody' }), 'unknown-app-name');
      await refused(find(here, { ...event, appName: 'Shop', projectId: basket.id }), 'app-name-mismatch');
    }
  });
  it('takes the one a service is named after before the event sources', async () => {
    const { here, basket, map } = await scene();
    await map(basket, '/ci/acme', 'service/Shop');
    expect(await nameFor(here, serviceEvent())).to.equal('Shop');
    expect(await nameFor(here, serviceEvent({ subjectId: 'shop-api' }))).to.equal('Basket');
  });
  it('takes the one that has an event source of it, before one that is named so', async () => {
    const { here, basket, map } = await scene();
    await map(basket, 'of event', 'of subject', 'of suite', 'svc/checkout-api');
    expect(await nameFor(here, untold({ source: 'of event' }))).to.equal('Basket');
    expect(await nameFor(here, untold({ subjectSource: 'of subject' }))).to.equal('Basket');
    expect(await nameFor(here, untold({ suiteId: 'of suite', suite: 'Shop' }))).to.equal('Basket');
    expect(await nameFor(here, serviceEvent({ subjectId: 'svc/checkout-api' }))).to.equal('Basket');
    await refused(find(here, untold({ source: 'Of event' })), 'invalid');
  });
  it('takes the one in sight that is named like the suite or the end of a source', async () => {
    const { here } = await scene();
    expect(await nameFor(here, untold({ suiteId: 'Shop' }))).to.equal('Shop');
    expect(await nameFor(here, untold({ suite: 'Basket' }))).to.equal('Basket');
    expect(await nameFor(here, untold({ subjectSource: 'https://ci.acme.dev/Basket/' }))).to.equal('Basket');
    await refused(find(here, untold({ suiteId: 'Search' })), 'invalid');
  });
  it('takes the only one in sight, when nothing else leads to one', async () => {
    const here = await projectScene();
    expect(await nameFor(here, untold())).to.equal('Shop');
    expect(await nameFor(here, serviceEvent({ subjectId: '//' }))).to.equal('Shop');
    await createProject(here, { by: here.member, teamId: here.teamId, name: 'Basket' });
    await refused(find(here, untold()), 'invalid');
  });
  it('never guesses the project of a named service, which would count where nothing was deployed', async () => {
    const here = await projectScene();
    await refused(find(here, serviceEvent({ subjectId: 'api', source: '/ci/Shop' })), 'unknown-app-name');
  });
  it('asks which is meant when several are, and lets an event source settle a name', async () => {
    const { here, basket, search, both, map } = await scene();
    await map(here.project, '/ci/acme');
    await map(basket, 'unit');
    const { details } = await refused(find(here, untold()), 'ambiguous-app-name');
    const candidates = [here.project, basket].map(({ id, name, teamId }) => ({ id, name, team_id: teamId }));
    expect(details.candidates).to.have.deep.members(candidates);
    await refused(find(here, untold({ source: 'x', suiteId: 'Shop', suite: 'Basket' })), 'ambiguous-app-name');

    await createProject(here, { by: here.stranger, teamId: search.teamId, name: 'Shop' });
    const event = serviceEvent({ source: 'x' });
    await refused(find(here, event, both), 'ambiguous-app-name');
    await map(search, 'service/Shop');
    expect(await nameFor(here, event, both)).to.equal('Search');
  });
  it('finds no project that is out of sight', async () => {
    const { here, search, both, map } = await scene();
    await map(search, '/ci/acme');
    const seen = await refused(find(here, untold()), 'invalid');
    expect(seen.message).to.contain("2 are at the key's home").and.not.to.contain('Search');
    await map(here.project, '/ci/acme');
    expect(await nameFor(here, untold())).to.equal('Shop');
    await refused(find(here, untold(), both), 'ambiguous-app-name');
    expect(await nameFor(here, untold(), here.stranger)).to.equal('Search');
    const withoutRole = await refused(find(here, untold(), withRoles(here.member, {})), 'invalid');
    expect(withoutRole.message).to.contain("none is at the key's home");
  });
  it('lets other teams match a service that no project at home is named, as for a report, and draw nothing else', async () => {
    const { here, search, both, map } = await scene();
    const { principal } = both;
    const by = { ...both, principal: { ...principal, home: { teamIds: [here.teamId], projectId: null } } };
    const called = (name: string) => createProject(here, { by: here.stranger, teamId: search.teamId, name });
    await map(search, '/ci/acme', 'svc/checkout-api');
    const [mapped, named] = [untold(), untold({ source: '/ci/Search', suiteId: 'nightly' })];
    for (const event of [mapped, named, serviceEvent({ subjectId: '//', source: '/ci/Search' })]) {
      const { message } = await refused(find(here, event, by), 'invalid');
      expect(message).to.contain("2 are at the key's home");
    }
    const unknown = serviceEvent({ subjectId: 'svc/checkout-api' });
    await refused(find(here, unknown, by), 'unknown-app-name');
    await called('twin');
    await refused(find(here, untold({ source: 'x', suiteId: 'Search', suite: 'twin' }), by), 'invalid');
    expect(await nameFor(here, serviceEvent({ subjectId: 'Search' }), by)).to.equal('Search');
    await called('Shop');
    expect(await find(here, serviceEvent({ source: 'x' }), by)).to.include({ id: here.project.id });
    const homeless = { teamIds: ['empty'], projectId: null };
    const moved = { ...principal, roles: new Map([...principal.roles, ['empty', 'member'] as const]), home: homeless };
    for (const event of [untold(), untold({ suiteId: 'Search' })])
      await refused(find(here, event, { ...both, principal: moved }), 'invalid');
  });
  it('is for members of its team', async () => {
    const { here, map } = await scene();
    await map(here.project, '/ci/acme');
    for (const event of [untold(), suiteRunEvent(), serviceEvent()])
      await refused(find(here, event, here.viewer), 'forbidden');
  });
  it('says what was tried, and of a service the nearest names too', async () => {
    const { here } = await scene();
    const suite = await refused(find(here, untold()), 'invalid');
    expect(pointers(suite.details.faults)).to.deep.equal(['/customData/app_name']);
    expect(suite.message).to.contain('"/ci/acme" or "unit"').and.to.contain('event-sources');
    const service = await refused(find(here, serviceEvent({ subjectId: 'Shoop' })), 'unknown-app-name');
    expect(service.details.nearest).to.include('Shop');
    expect(service.message)
      .to.match(/^No project in sight is named Shoop\./)
      .and.to.contain('event-sources');
    const unnamed = await refused(find(here, serviceEvent({ subjectId: '//' })), 'invalid');
    expect(pointers(unnamed.details.faults)).to.deep.equal(['/subject/id']);
  });
  it('costs the same queries for a hundred events at once', async () => {
    const here = await projectScene();
    const { stores, calls } = counted(here.stores);
    const ports = { stores, lookups: lookups(stores) };
    const hundred = Array.from({ length: 100 }, () => findEventProject(ports, here.member, untold()));
    await Promise.all(hundred);
    expect(calls).to.deep.equal(['eventSources.projectsOf', 'projects.named', 'projects.ofTeams']);
  });
  it('reads the names in sight once for all events of a request, and gives hints for five of them', async () => {
    const here = await projectScene();
    const { stores, calls } = counted(here.stores);
    const ports = { ...here, stores, lookups: lookups(stores) };
    const names = namesOnce(stores, here.member.principal);
    const called = (nth: number) => [
      serviceEvent({ subjectId: `svc/Shop${nth}` }),
      suiteRunEvent({ appName: `Shop${nth}` }),
    ];
    const events = Array.from({ length: 50 }, (_, nth) => called(nth)).flat();
    const receiving = events.map((event) =>
      refused(receiveCdEvent(ports, { ...needing('member', here.member), event, base: '', names }), 'unknown-app-name'),
    );
    const hints = (await Promise.all(receiving)).filter(({ details }) => (details.nearest as string[]).length > 0);
    expect(hints).to.have.length(10);
    expect(calls.filter((call) => call === 'projects.names')).to.have.length(1);
  });
});

describe('Setting event sources', () => {
  it('puts them in the place of the former ones, each once in the order given, and notes it', async () => {
    const here = await projectScene();
    const set = (sources: readonly string[]) => setEventSources(here, { by: here.member, ...here.there, sources });
    expect(await set(['b', 'a', 'b'])).to.deep.equal(['b', 'a']);
    await set(['c']);
    expect(await here.stores.eventSources.ofProject(here.project.id)).to.deep.equal(['c']);
    const before = await actions(here, here.teamId);
    expect(before.filter((action) => action === 'event-sources.set')).to.have.length(2);
    await set(['c']);
    expect(await actions(here, here.teamId)).to.deep.equal(before);
  });
  it('refuses what another project of the team has, and leaves things as they were', async () => {
    const here = await projectScene();
    const other = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Basket' });
    await setEventSources(here, { by: here.member, ...here.there, sources: ['/ci'] });
    const command = { by: here.owner, teamId: here.teamId, projectId: other.id, sources: ['free', '/ci'] };
    const { details } = await refused(setEventSources(here, command), 'event-source-taken');
    expect(details).to.deep.equal({ source: '/ci', project: { id: here.project.id, name: 'Shop' } });
    expect(await here.stores.eventSources.ofProject(other.id)).to.deep.equal([]);
  });
  it('is for members', async () => {
    const here = await projectScene();
    await refused(
      setEventSources(here, { by: needing('member', here.viewer), ...here.there, sources: [] }),
      'forbidden',
    );
    await refused(setEventSources(here, { by: here.stranger, ...here.there, sources: [] }), 'not-found');
  });
});
