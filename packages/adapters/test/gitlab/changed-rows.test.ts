import { expect } from 'chai';
import { addIssue, addProject, editIssue } from '../gitlab-server/inhabitants.js';
import { type Project, written } from '../gitlab-server/world.js';
import { FROM_START, nameOf, openedForEach, readAll } from './opened.js';

const START = Date.UTC(2026, 0, 1);

describe('reading what changed at GitLab', () => {
  const opened = openedForEach();
  /** Issues that changed a second after one another, or `every` ms. */
  const filled = (count: number, every = 1000): Project => {
    const { world } = opened().server;
    const project = addProject(world, 'acme/shop');
    for (let each = 0; each < count; each += 1) {
      const at = written(START + each * every);
      addIssue(world, project, `issue ${each}`, { created_at: at, updated_at: at });
    }
    return project;
  };
  const reader = (project: Project) => {
    const { host, access } = opened();
    return (request: typeof FROM_START) => host.repositories.issues(access(), nameOf(project), request);
  };
  const numbers = (rows: readonly { number: number }[]) => rows.map((row) => row.number);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('hands out every row once, least recently changed first, at a request per 100 rows and two more', async () => {
    const { rows } = await readAll(reader(filled(950)));
    expect(numbers(rows)).to.deep.equal(upTo(950));
    expect(opened().server.seen.length).to.be.at.most(Math.ceil(950 / 100) + 2);
  });

  it('loses no row when others change during the reading, and brings those again', async () => {
    const project = filled(350);
    const { world } = opened().server;
    const { rows } = await readAll(reader(project), FROM_START, (pages) => {
      for (const issue of project.issues.slice(pages * 5, pages * 5 + 3)) {
        editIssue(world, issue, { title: 'changed', updated_at: written(START + 10_000_000 + pages) });
      }
    });
    expect(new Set(numbers(rows))).to.deep.equal(new Set(upTo(350)));
    expect(rows.filter(({ title }) => title === 'changed')).to.have.length(9);
  });

  it('gets through more than a page of rows that changed at one moment', async () => {
    const { rows } = await readAll(reader(filled(250, 0)));
    expect(new Set(numbers(rows)).size).to.equal(250);
    expect(rows).to.have.length(250);
  });

  it('reads only what changed at or after a moment', async () => {
    const { rows } = await readAll(reader(filled(20)), { ...FROM_START, since: START + 15_000 });
    expect(numbers(rows)).to.deep.equal([16, 17, 18, 19, 20]);
  });

  it('answers unchanged after a single conditional request, until something changes', async () => {
    const project = filled(5);
    const read = reader(project);
    const { validator } = await readAll(read);
    const { seen, world } = opened().server;
    seen.length = 0;
    const again = { since: START + 4000, page: null, validator };
    expect((await read(again)).unchanged).to.equal(true);
    expect(seen.map(({ status, headers }) => [status, headers['if-none-match']])).to.deep.equal([[304, validator]]);
    const [issue] = project.issues;
    if (issue !== undefined) editIssue(world, issue, { title: 'new', updated_at: written(START + 60_000) });
    expect((await readAll(read, again)).rows.map(({ title }) => title)).to.deep.equal(['issue 4', 'new']);
  });

  it('asks once when there is nothing at all, or nothing new', async () => {
    const project = filled(0);
    expect((await readAll(reader(project))).rows).to.deep.equal([]);
    expect(opened().server.seen).to.have.length(1);
    addIssue(opened().server.world, project, 'old', { updated_at: written(START) });
    expect((await readAll(reader(project), { ...FROM_START, since: START + 1 })).rows).to.deep.equal([]);
    expect(opened().server.seen).to.have.length(2);
  });
});
