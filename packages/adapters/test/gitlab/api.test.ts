import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import nock from 'nock';
import * as fields from '../../src/gitlab/api.js';
import { gitlabHost } from '../../src/gitlab/gitlab-host.js';
import { grantSeals } from '../../src/host-http/host-secrets.js';
import { addIssue, addProject, editIssue } from '../gitlab-server/inhabitants.js';
import { type Project, written } from '../gitlab-server/world.js';
import { FROM_START, nameOf, openedForEach, readAll, SECRET_KEY } from './opened.js';

// Importing nock puts it into force; other suites of the same process want the real network.
nock.restore();

const grant = grantSeals(SECRET_KEY, 'gitlab', 'GitLab').sealTokens('ann', {
  access: 'token-1',
  refresh: null,
  expiresAt: null,
});
/** Made when it is used: other files of the same process may run for minutes before. */
const access = () => ({ ownerId: 'ann', grant, deadline: Date.now() + 60_000 });
const hostAt = (url: string) =>
  gitlabHost({ clientId: 'a', clientSecret: 'b', url: new URL(url), secretKey: SECRET_KEY });
const ada = { id: 7, username: 'ada' };

describe("GitLab's interface", () => {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  it('is found below the address of the installation, with or without a path', async () => {
    for (const [url, origin, path] of [
      ['https://gitlab.com', 'https://gitlab.com', '/api/v4/user'],
      ['https://git.example:8443/', 'https://git.example:8443', '/api/v4/user'],
      ['https://example.org/gitlab/', 'https://example.org', '/gitlab/api/v4/user'],
      ['https://example.org/gitlab?a#b', 'https://example.org', '/gitlab/api/v4/user'],
    ] as const) {
      const scope = nock(origin).get(path).reply(200, ada);
      expect(await hostAt(url).reader.account(access()), url).to.deep.equal({ id: '7', name: 'ada' });
      scope.done();
    }
  });

  it('is asked for JSON with a bearer token', async () => {
    const scope = nock('https://gitlab.com', {
      reqheaders: { accept: 'application/json', authorization: 'Bearer token-1' },
    });
    scope.get('/api/v4/user').reply(200, ada);
    await hostAt('https://gitlab.com').reader.account(access());
    scope.done();
  });

  it('is asked for rows as its documentation says', async () => {
    const scope = nock('https://gitlab.com')
      .get('/api/v4/projects/5/issues')
      .query({ scope: 'all', state: 'all', 'iids[]': ['1', '2'], per_page: '100' })
      .reply(200, [], { 'ratelimit-limit': '60', 'ratelimit-remaining': '5', 'ratelimit-reset': '1' });
    const name = { id: '5', path: 'a/b', defaultBranch: 'main' };
    const found = await hostAt('https://gitlab.com').reader.issuesById(access(), name, ['5-1', '5-2']);
    expect(found).to.deep.equal({ rows: [], budget: { limit: 60, remaining: 5, resetAt: 1_000 } });
    scope.done();
  });
});

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
    return (request: typeof FROM_START) => host.reader.issues(access(), nameOf(project), request);
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

describe("fields of GitLab's interface", () => {
  it('are read as what they must be', () => {
    const row = {
      id: 7,
      name: 'a',
      empty: '',
      none: null,
      at: '2026-01-01T10:00:00.123+02:00',
      day: '2026-03-01',
      in: {},
    };
    expect(fields.wholeNumber(row, 'id')).to.equal(7);
    expect([fields.text(row, 'name'), fields.textOrNull(row, 'empty')]).to.deep.equal(['a', null]);
    expect([fields.textOrNull(row, 'none'), fields.textOrNull(row, 'absent')]).to.deep.equal([null, null]);
    expect(fields.moment(row, 'at')).to.equal(Date.UTC(2026, 0, 1, 8, 0, 0, 123));
    expect(fields.momentOrNull(row, 'day')).to.equal(Date.UTC(2026, 2, 1));
    expect([fields.within(row, 'in'), fields.within(row, 'none')]).to.deep.equal([{}, undefined]);
    expect(fields.rowsIn([row])).to.deep.equal([row]);
  });

  it('are of another interface when they are anything else', () => {
    const row = { id: 7.5, name: 7, at: 'soon', in: [] };
    const wrong: (() => unknown)[] = [
      () => fields.wholeNumber(row, 'id'),
      () => fields.wholeNumber({ id: '7' }, 'id'),
      () => fields.text(row, 'name'),
      () => fields.text({}, 'name'),
      () => fields.moment(row, 'at'),
      () => fields.moment({}, 'at'),
      () => fields.within(row, 'in'),
      () => fields.rowsIn({}),
      () => fields.rowsIn([null]),
      () => fields.rowsIn(Array(1001).fill({})),
      () => fields.fieldsOf('text'),
    ];
    for (const read of wrong) expect(read, String(read)).to.throw(DomainError, /something else/);
  });
});
