import { expect } from 'chai';
import { addMilestone, addProject } from '../gitlab-server/inhabitants.js';
import { changedPage, FROM_START, nameOf, openedForEach, readAll } from './opened.js';

describe('milestones of GitLab', () => {
  const opened = openedForEach();

  it('are open or closed, due at the beginning of a day, from project and group', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    const own = addMilestone(server.world, project, '1.0', { due_date: '2026-03-01' });
    const group = addMilestone(server.world, project, 'Q1', { group_id: 5, iid: 1, state: 'closed' });
    const { rows } = await readAll((request) => host.repositories.milestones(access(), nameOf(project), request));
    const of = ({ id, web_url }: typeof own) => ({ id: String(id), number: id, url: web_url });
    expect(rows).to.deep.equal([
      { ...of(own), title: '1.0', state: 'open', dueAt: Date.UTC(2026, 2, 1) },
      { ...of(group), title: 'Q1', state: 'closed', dueAt: null },
    ]);
  });

  it('are unchanged until one of them changes', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    addMilestone(server.world, project, '1.0');
    const read = (validator: string | null) =>
      host.repositories.milestones(access(), nameOf(project), { ...FROM_START, validator });
    const { validator } = await changedPage(read(null));
    expect((await read(validator)).unchanged).to.equal(true);
    addMilestone(server.world, project, '1.1');
    expect((await changedPage(read(validator))).rows).to.have.length(2);
  });

  it('have no validator beyond one page, since that would overlook the others', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    for (let each = 0; each < 150; each += 1) addMilestone(server.world, project, `1.${each}`);
    const read = await readAll((request) => host.repositories.milestones(access(), nameOf(project), request));
    expect([read.rows.length, read.pages, read.validator]).to.deep.equal([150, 2, null]);
  });
});
