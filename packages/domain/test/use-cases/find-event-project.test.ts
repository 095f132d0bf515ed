import { lookups } from '@shipworthy/adapters/group-commit';
import { expect } from 'chai';
import type { ServiceEvent, SuiteRunEvent } from '../../src/cdevent/cdevent.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { findEventProject } from '../../src/use-cases/find-event-project.js';
import { serviceEvent, suiteRunEvent } from '../cdevent/event-of.js';
import { pointers, refused } from '../refusal.js';
import { counted } from './counted.js';
import { type ProjectScene, projectScene } from './scene.js';
import { withRoles } from './world.js';

const untold = (over: Partial<SuiteRunEvent> = {}) => suiteRunEvent({ appName: null, ...over });

const find = (here: ProjectScene, event: ServiceEvent | SuiteRunEvent, by = here.member) =>
  findEventProject(here, by.principal, event);
const nameFor = async (...given: Parameters<typeof find>) => (await find(...given)).name;

/** Shop and Basket in the team, Search of the stranger, and somebody who is a member of both teams. */
const scene = async () => {
  const here = await projectScene();
  const basket = await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Basket' });
  const [otherTeam = ''] = here.stranger.principal.roles.keys();
  const search = await createProject(here)({ by: here.stranger, teamId: otherTeam, name: 'Search' });
  const both = withRoles(here.member, { [here.teamId]: 'member', [otherTeam]: 'member' });
  const map = (project: { id: string; teamId: string }, ...sources: string[]) =>
    here.stores.eventSources.replace(project, sources);
  return { here, basket, search, both, map };
};

describe('Finding the project of an event', () => {
  it('takes the one custom data says, whatever else would lead to another one', async () => {
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
    await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Basket' });
    await refused(find(here, untold()), 'invalid');
  });
  it('never guesses whose a named service is, so that it counts nowhere it was not deployed', async () => {
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

    await createProject(here)({ by: here.stranger, teamId: search.teamId, name: 'Shop' });
    const event = serviceEvent({ source: 'x' });
    await refused(find(here, event, both), 'ambiguous-app-name');
    await map(search, 'service/Shop');
    expect(await nameFor(here, event, both)).to.equal('Search');
  });
  it('knows nothing of what is out of sight', async () => {
    const { here, search, both, map } = await scene();
    await map(search, '/ci/acme');
    const seen = await refused(find(here, untold()), 'invalid');
    expect(seen.message).to.contain('2 are in sight').and.not.to.contain('Search');
    await map(here.project, '/ci/acme');
    expect(await nameFor(here, untold())).to.equal('Shop');
    await refused(find(here, untold(), both), 'ambiguous-app-name');
    expect(await nameFor(here, untold(), here.stranger)).to.equal('Search');
    const nobody = await refused(find(here, untold(), withRoles(here.member, {})), 'invalid');
    expect(nobody.message).to.contain('none is in sight');
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
    const hundred = Array.from({ length: 100 }, () => findEventProject(ports, here.member.principal, untold()));
    await Promise.all(hundred);
    expect(calls).to.deep.equal(['eventSources.projectsOf', 'projects.named', 'projects.ofTeams']);
  });
});
