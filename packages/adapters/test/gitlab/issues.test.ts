import { expect } from 'chai';
import { addIssue, addMilestone, addProject } from '../gitlab-server/inhabitants.js';
import { type IssueRow, written } from '../gitlab-server/world.js';
import { changedPage, FROM_START, nameOf, openedForEach, readAll } from './opened.js';

const AT = Date.UTC(2026, 0, 1);
const CLOSED = { state: 'closed', closed_at: written(AT + 1000) } as const;

describe('issues of GitLab', () => {
  const opened = openedForEach();
  const read = async (...rows: Partial<IssueRow>[]) => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    const milestone = addMilestone(server.world, project, '1.0');
    rows.forEach((row, index) => {
      const at = written(AT + index);
      addIssue(server.world, project, `issue ${index + 1}`, { created_at: at, updated_at: at, milestone, ...row });
    });
    const issues = await readAll((request) => host.reader.issues(access(), nameOf(project), request));
    return { project, milestone, issues: issues.rows };
  };

  it('carry what a release needs to know of them', async () => {
    const { project, milestone, issues } = await read({ labels: ['bug', 'area::pay'] });
    expect(issues).to.deep.equal([
      {
        id: `${project.id}-1`,
        number: 1,
        title: 'issue 1',
        url: `${project.web_url}/-/issues/1`,
        state: 'open',
        closedAs: null,
        type: 'issue',
        labels: ['bug', 'area::pay'],
        milestoneId: String(milestone.id),
        createdAt: AT,
        updatedAt: AT,
        closedAt: null,
        history: null,
      },
    ]);
  });

  it('are completed when closed, unless they moved or were told before', async () => {
    const duplicate = { closed_as_duplicate_of: 'https://gitlab.example/api/v4/projects/1/issues/1' };
    const { issues } = await read(CLOSED, { ...CLOSED, moved_to_id: 9 }, { ...CLOSED, _links: duplicate });
    expect(issues.map(({ closedAs }) => closedAs)).to.deep.equal(['completed', 'not_planned', 'not_planned']);
    expect(issues.map(({ closedAt }) => closedAt)).to.deep.equal([AT + 1000, AT + 1000, AT + 1000]);
  });

  it('are open again without an end, with any remains of the closing', async () => {
    const { issues } = await read({ ...CLOSED, state: 'opened', moved_to_id: 9, milestone: null });
    expect(issues[0]).to.deep.include({ state: 'open', closedAs: null, closedAt: null, milestoneId: null });
  });

  it('show the severity of an incident as a label', async () => {
    const { issues } = await read(
      { issue_type: 'incident', severity: 'CRITICAL', labels: ['pay'] },
      { issue_type: 'incident', severity: 'LOW' },
      { issue_type: 'incident', severity: 'UNKNOWN' },
    );
    expect(issues.map(({ type, labels }) => [type, ...labels])).to.deep.equal([
      ['incident', 'pay', 'severity::1'],
      ['incident', 'severity::4'],
      ['incident'],
    ]);
  });

  it('are found by id in one request, as far as they still are in this repository', async () => {
    const { project } = await read(...Array.from({ length: 100 }, () => ({})));
    const { server, host, access } = opened();
    project.issues.splice(4, 1);
    server.seen.length = 0;
    const ids = Array.from({ length: 99 }, (_, index) => `${project.id}-${index + 1}`);
    const { rows: found } = await host.reader.issuesById(access(), nameOf(project), [...ids, '999-100']);
    const expected = ids.filter((_, index) => index !== 4);
    expect(found.map(({ id }) => id).toSorted()).to.deep.equal(expected.toSorted());
    expect(server.seen).to.have.length(1);
  });

  it('are not asked for when no id can be one of this repository', async () => {
    const { project } = await read();
    const { server, host, access } = opened();
    server.seen.length = 0;
    const ids = ['', `${project.id}-`, `${project.id}-0`, `${project.id}-x`, `${project.id}1-1`];
    const none = await host.reader.issuesById(access(), nameOf(project), ids);
    expect(none).to.deep.equal({ rows: [], budget: null });
    expect(server.seen).to.deep.equal([]);
  });

  it('refuse to be read out of something else', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/odd');
    server.faults.push({ kind: 'json', status: 200, body: [{ updated_at: written(AT), id: 1 }] });
    server.faults.push({ kind: 'json', status: 200, body: [{ updated_at: written(AT), id: 1, iid: 'one' }] });
    const reading = host.reader.issues(access(), nameOf(project), FROM_START);
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).to.deep.include({ code: 'host-unavailable', details: { cause: 'not_json' } });
  });
});

describe('milestones of GitLab', () => {
  const opened = openedForEach();

  it('are open or closed, due at the beginning of a day, from project and group', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    const own = addMilestone(server.world, project, '1.0', { due_date: '2026-03-01' });
    const group = addMilestone(server.world, project, 'Q1', { group_id: 5, iid: 1, state: 'closed' });
    const { rows } = await readAll((request) => host.reader.milestones(access(), nameOf(project), request));
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
      host.reader.milestones(access(), nameOf(project), { ...FROM_START, validator });
    const { validator } = await changedPage(read(null));
    expect((await read(validator)).unchanged).to.equal(true);
    addMilestone(server.world, project, '1.1');
    expect((await changedPage(read(validator))).rows).to.have.length(2);
  });

  it('have no validator beyond one page, since that would overlook the others', async () => {
    const { server, host, access } = opened();
    const project = addProject(server.world, 'acme/shop');
    for (let each = 0; each < 150; each += 1) addMilestone(server.world, project, `1.${each}`);
    const read = await readAll((request) => host.reader.milestones(access(), nameOf(project), request));
    expect([read.rows.length, read.pages, read.validator]).to.deep.equal([150, 2, null]);
  });
});
