import type { PageRequest, Project, Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

describe('createRouteCall', () => {
  let service: BareService;
  let ada: Person;
  let team: Team;
  let project: Project;
  let pages: PageRequest[] = [];
  let shown: (string | null)[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        listIssues: async (_, { page, sealCursor }) => {
          pages.push(page);
          const next = sealCursor([page.limit, 'x']);
          return { status: 200, body: { data: [], next_cursor: next }, next };
        },
        listAuditEntries: async (_, { page, sealCursor }) => {
          pages.push(page);
          return { status: 200, body: { data: [], next_cursor: sealCursor(null) }, next: null };
        },
        signIn: async (_, { shownSession, principal }) => {
          expect(principal).to.equal(null);
          shown.push(await shownSession());
          const session = { set: { secret: 'new', expiresAt: Date.UTC(2026, 10, 27) } };
          return { status: 200, body: { data: { user: {} } }, session } as never;
        },
      },
    });
    ada = await service.world.person('Ada');
    team = await service.world.team(ada, 'Payments');
    project = await service.world.project(ada, team, 'checkout');
  });
  beforeEach(() => {
    pages = [];
    shown = [];
  });
  after(() => service.close());

  const issues = (query: string) =>
    ask(service.url, `/api/teams/${team.id}/projects/${project.id}/issues${query}`, { headers: cookieOf(ada) });

  it('gives the first page of fifty unless asked otherwise', async () => {
    await issues('');
    await issues('?limit=200');
    expect(pages).to.deep.equal([
      { limit: 50, after: null },
      { limit: 200, after: null },
    ]);
    expect((await issues('?limit=201')).status).to.equal(422);
    expect((await issues('?limit=0')).status).to.equal(422);
  });

  it('continues a list by its own cursor, and links to the next page', async () => {
    const first = await issues('?limit=7&state=done');
    const cursor = String(first.json?.next_cursor);
    const [, target = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
    expect(target)
      .to.contain('limit=7')
      .and.contain('state=done')
      .and.contain(`cursor=${encodeURIComponent(cursor)}`);
    const second = await ask(service.url, target, { headers: cookieOf(ada) });
    expect(second.status).to.equal(200);
    expect(pages.at(-1)).to.deep.equal({ limit: 7, after: [7, 'x'] });
    expect(second.headers.link?.match(/cursor=/g)).to.have.length(1);
    expect((await issues(`?limit=9&state=done&cursor=${cursor}`)).status).to.equal(200);
  });

  it('refuses a cursor that was changed or made for another list', async () => {
    const cursor = String((await issues('?state=done')).json?.next_cursor);
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const query of [
      `?state=done&cursor=${changed}`,
      `?state=todo&cursor=${cursor}`,
      `?cursor=${cursor}`,
      '?cursor=x',
    ]) {
      const { status, json } = await issues(query);
      expect(status, query).to.equal(422);
      expect(json?.errors).to.deep.equal([
        { pointer: 'cursor', code: 'cursor', message: 'cursor must be the next_cursor of this very list' },
      ]);
    }
    const audit = await ask(service.url, `/api/teams/${team.id}/audit?cursor=${cursor}`, { headers: cookieOf(ada) });
    expect(audit.status).to.equal(422);
  });

  it('ends a list without a link', async () => {
    const audit = await ask(service.url, `/api/teams/${team.id}/audit`, { headers: cookieOf(ada) });
    expect(audit.status).to.equal(200);
    expect(audit.headers).to.not.have.property('link');
  });

  it('tells a sign-in which session it replaces, and sets the new cookie', async () => {
    const signIn = (headers: Record<string, string>) =>
      ask(service.url, '/api/session', { method: 'POST', headers, body: { email: 'a@b.dev', password: 'phrase' } });
    const answer = await signIn(cookieOf(ada));
    expect(answer.headers['set-cookie']).to.equal(
      'shipworthy_session=new; Path=/; HttpOnly; SameSite=Lax; Expires=Fri, 27 Nov 2026 00:00:00 GMT',
    );
    await signIn({});
    await signIn({ cookie: 'shipworthy_session=ended', origin: 'http://localhost:4400' });
    expect(shown).to.deep.equal([ada.session.id, null, null]);
    expect((await signIn({ origin: 'https://evil.dev' })).status).to.equal(403);
  });
});
