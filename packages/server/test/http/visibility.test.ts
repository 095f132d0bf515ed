import type { Project, Release, Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const UNKNOWN = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

describe('createVisibility', () => {
  let service: BareService;
  let ada: Person;
  let eve: Person;
  let team: Team;
  let other: Team;
  let project: Project;
  let theirs: Project;
  let release: Release;
  before(async () => {
    service = await startBare({
      routes: {
        readRelease: async (_, { place }) => ({ status: 200, body: { data: place } }) as never,
        readIssue: async (_, { place }) => ({ status: 200, body: { data: place.issue.title } }) as never,
        listAxisRows: async ({ path }) => ({ status: 200, body: { data: path.axis } }) as never,
        readDeployment: async (_, { place }) => ({ status: 200, body: { data: place.role } }) as never,
        removeEvidence: async () => ({ status: 204 }),
        withdrawWaiver: async () => ({ status: 204 }),
      },
    });
    const { world } = service;
    [ada, eve] = [await world.person('Ada'), await world.person('Eve')];
    [team, other] = [await world.team(ada, 'Payments'), await world.team(eve, 'Search')];
    project = await world.project(ada, team, 'checkout');
    theirs = await world.project(eve, other, 'index');
    release = await world.release(ada, project, '2.4');
  });
  after(() => service.close());

  const P = (teamId: string, projectId: string) => `/api/teams/${teamId}/projects/${projectId}`;
  const get = (path: string, person: Person = ada) => ask(service.url, path, { headers: cookieOf(person) });

  it('names what the path names, with ids in lower or upper case', async () => {
    const path = `${P(team.id, project.id)}/releases/${release.id}`;
    const place = { teamId: team.id, role: 'owner', projectId: project.id, releaseId: release.id };
    expect((await get(path)).json).to.deep.equal({ data: place });
    expect((await get(path.replace(release.id, release.id.toUpperCase()))).json).to.deep.equal({ data: place });
    expect((await get(path)).json).to.deep.equal({ data: place });
  });

  it('answers the same for what is unknown and what is not in sight', async () => {
    const body = async (path: string) => {
      const { status, json } = await get(path);
      expect(status).to.equal(404);
      return { ...json, request_id: '', instance: '' };
    };
    const inside = P(team.id, project.id);
    const same = async (hidden: string, unknown: string) =>
      expect(await body(hidden)).to.deep.equal(await body(unknown));
    await same(`${P(other.id, theirs.id)}/releases/${UNKNOWN}`, `${P(UNKNOWN, UNKNOWN)}/releases/${UNKNOWN}`);
    await same(`${P(team.id, theirs.id)}/releases/${release.id}`, `${P(team.id, UNKNOWN)}/releases/${release.id}`);
    const foreign = await service.world.release(eve, theirs, '1.0');
    await same(`${inside}/releases/${foreign.id}`, `${inside}/releases/${UNKNOWN}`);
    const issue = await service.world.issue(eve, theirs, { title: 'theirs', releaseId: null });
    await same(`${inside}/issues/${issue.id}`, `${inside}/issues/${UNKNOWN}`);
    await same(`/api/deployments/${UNKNOWN}`, `/api/deployments/${UNKNOWN}`);
  });

  it('never shows through a path that mixes two teams, even when each half was seen before', async () => {
    expect((await get(`${P(other.id, theirs.id)}/releases/${UNKNOWN}`, eve)).status).to.equal(404);
    expect((await get(`${P(team.id, theirs.id)}/releases/${release.id}`)).status).to.equal(404);
    expect((await get(`${P(other.id, project.id)}/releases/${release.id}`, eve)).status).to.equal(404);
  });

  it('says of anything but a UUID that slugs are not ids', async () => {
    for (const id of ['checkout', '%00', '%2F', '%ff', "'--", `${UNKNOWN}0`, 'a'.repeat(5000)]) {
      const { status, json } = await get(P(team.id, id));
      expect(status, id).to.equal(404);
      expect(json?.detail, id).to.match(/no such project: .*slugs/);
    }
  });

  it('knows the words a path may hold', async () => {
    const path = `${P(team.id, project.id)}/releases/${release.id}/readiness`;
    expect((await get(`${path}/scope`)).json).to.deep.equal({ data: 'scope' });
    for (const axis of ['Scope', 's', 'two-words', 'scope%20'])
      expect((await get(`${path}/${axis}`)).status, axis).to.equal(404);
  });

  it('finds items with their evidence and waivers only where they belong', async () => {
    const [item] = await service.ports.stores.checklists.ofRelease(release.id);
    const evidence = { id: service.ports.newId(), url: 'https://acme.dev', label: 'page', addedBy: 'Ada', addedAt: 0 };
    await service.ports.stores.checklists.addEvidence(item?.id ?? '', evidence);
    const inRelease = `${P(team.id, project.id)}/releases/${release.id}`;
    const remove = async (path: string) =>
      (await ask(service.url, path, { method: 'DELETE', headers: cookieOf(ada) })).status;
    expect(await remove(`${inRelease}/checklist/${item?.id}/evidence/${evidence.id}`)).to.equal(204);
    expect(await remove(`${inRelease}/checklist/${item?.id}/evidence/${UNKNOWN}`)).to.equal(404);
    expect(await remove(`${inRelease}/checklist/${UNKNOWN}/evidence/${evidence.id}`)).to.equal(404);
    expect(await remove(`${inRelease}/waivers/${UNKNOWN}`)).to.equal(404);
    const next = await service.world.release(ada, project, '2.5');
    const elsewhere = `${P(team.id, project.id)}/releases/${next.id}/checklist/${item?.id}/evidence/${evidence.id}`;
    expect(await remove(elsewhere)).to.equal(404);
  });
});
