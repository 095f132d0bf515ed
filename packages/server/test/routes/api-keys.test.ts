import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const DAY = 24 * 3_600_000;
const KEY = /^swk_[0-9A-Za-z]{36}$/;

onEveryStore('API keys', (open) => {
  const stage = useFreshStage(open);

  it('are answered once, when they are made', async () => {
    const { browser, service, team } = stage();
    const wish = { name: 'checkout pipeline', scopes: ['read', 'deployments:write'] as const, team_id: team.id };
    const answer = await browser.ok('createApiKey', { body: { ...wish, scopes: [...wish.scopes] } });
    const { data } = answer.body;
    expect(data.key).to.match(KEY);
    const { key, ...told } = data;
    const now = service.clock.read();
    expect(told).to.deep.equal({
      ...wish,
      id: data.id,
      project_id: null,
      home_team_ids: [team.id],
      barred_team_ids: [],
      prefix: key.slice(0, 12),
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + 90 * DAY).toISOString(),
      last_used_at: null,
      last_used_address: null,
    });
    const listed = await browser.ok('listApiKeys');
    expect(listed.body.data[0]).to.deep.equal(told);
    expect(listed.text).not.to.contain(key);
    await service.withKey(key).ok('listTeams');
  });

  it('are listed newest first with their last use, without those revoked, to their maker alone', async () => {
    const { browser, service, world } = stage();
    service.clock.pass(5);
    const make = async (name: string) =>
      (await browser.ok('createApiKey', { body: { name, scopes: ['read'] } })).body.data;
    const first = await make('first');
    service.clock.pass(60_000);
    const second = await make('second');
    await service.withKey(first.key).ok('whoAmI');
    const listed = (await browser.ok('listApiKeys')).body.data;
    expect(listed.slice(0, 2).map(({ name }) => name)).to.deep.equal(['second', 'first']);
    expect(listed[1]?.last_used_at).to.equal(new Date(service.clock.read()).toISOString());
    const bob = service.signedIn(await world.person('Bob'));
    expect((await bob.ok('listApiKeys')).body.data).to.deep.equal([]);
    await bob.refused('revokeApiKey', 'not-found', { path: { api_key_id: second.id } });
    await browser.ok('revokeApiKey', { path: { api_key_id: second.id } });
    await browser.refused('revokeApiKey', 'not-found', { path: { api_key_id: second.id } });
    expect((await browser.ok('listApiKeys')).body.data.map(({ id }) => id)).not.to.include(second.id);
  });

  it('are found by name and prefix, and exported as CSV to their maker and to owners of a team', async () => {
    const { browser, service, team, world } = stage();
    const make = async (name: string, wish: object) =>
      (await browser.ok('createApiKey', { body: { name, scopes: ['read', 'test-runs:write'], ...wish } })).body.data;
    const deploy = await make('=Deploy', { team_id: team.id });
    const gate = await make('gate', { all_teams: true });
    const own = async (query: object) => (await browser.ok('listApiKeys', { query })).body.data.map(({ name }) => name);
    expect(await own({ q: 'DEPLOY' })).to.deep.equal(['=Deploy']);
    expect(await own({ q: `gate ${gate.prefix}` })).to.deep.equal(['gate']);
    expect(await own({ q: 'nothing' })).to.deep.equal([]);
    const path = { team_id: team.id };
    const reaching = async (query: object) =>
      (await browser.ok('listTeamApiKeys', { path, query })).body.data.map(({ name }) => name);
    expect(await reaching({ q: 'ada deploy' })).to.deep.equal(['=Deploy']);
    expect(await reaching({ q: 'bob' })).to.deep.equal([]);
    const first = await browser.ok('exportApiKeys', { query: { q: 'deploy' } });
    expect(first.headers['content-disposition']).to.equal('attachment; filename="api-keys.csv"');
    const { created_at, expires_at, prefix, id } = deploy;
    const used = `"read test-runs:write",,"${prefix}","${created_at}","${expires_at}",,,"${id}"`;
    const common = 'scopes,project_id,prefix,created_at,expires_at,last_used_at,last_used_address,id';
    expect(first.text.split('\r\n')).to.deep.equal([
      `name,team_id,${common},barred_team_ids`,
      `"'=Deploy","${team.id}",${used},""`,
      '',
    ]);
    const table = await browser.ok('exportTeamApiKeys', { path, query: { q: 'deploy' } });
    expect(table.text.split('\r\n')).to.deep.equal([
      `name,maker,maker_email,all_teams,${common}`,
      `"'=Deploy","Ada","ada@acme.dev","no",${used}`,
      '',
    ]);
    for (const { text } of [first, table]) expect(text).not.to.contain(deploy.key);
    expect((await browser.ok('exportTeamApiKeys', { path })).text).to.contain('"gate","Ada","ada@acme.dev","yes",');
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    await service.signedIn(bob).refused('exportTeamApiKeys', 'forbidden', { path });
    expect((await service.signedIn(bob).ok('exportApiKeys')).text.split('\r\n')).to.have.length(2);
  });

  it('say on every answer of their last 14 days when they end, and are refused from then on', async () => {
    const { browser, service, team } = stage();
    const wish = { name: 'ci', scopes: ['read' as const], team_id: team.id };
    const { key, expires_at } = (await browser.ok('createApiKey', { body: wish })).body.data;
    const pipeline = service.withKey(key);
    const HEADER = 'shipworthy-key-expires';
    const seen = async () => {
      const missing = { path: { deployment_id: randomUUID() } };
      const answers = [
        await pipeline.ok('listTeams'),
        await pipeline.refused('readDeployment', 'not-found', missing),
        await pipeline.refused('recordDeployment', 'missing-scope'),
        await pipeline.refused('listApiKeys', 'session-only'),
      ];
      return [...new Set(answers.map(({ headers }) => headers[HEADER]))];
    };
    expect((await browser.ok('listTeams')).headers, 'a session, which ends in 7 days').not.to.have.property(HEADER);
    service.clock.pass(75 * DAY);
    expect(await seen(), '15 days before').to.deep.equal([undefined]);
    service.clock.pass(DAY - 1);
    expect(await seen(), '14 days and a millisecond before').to.deep.equal([undefined]);
    service.clock.pass(1);
    expect(await seen(), '14 days before').to.deep.equal([expires_at]);
    service.clock.pass(13 * DAY);
    expect(await seen(), 'one day before').to.deep.equal([expires_at]);
    service.clock.pass(DAY);
    const refusal = await pipeline.refused('listTeams', 'unauthenticated');
    expect(refusal.body.detail).to.equal('The API key has expired.');
    expect(refusal.headers).not.to.have.property(HEADER);
  });

  it('live a year at most, and start with a scope', async () => {
    const { browser, service } = stage();
    const at = (ms: number) => new Date(service.clock.read() + ms).toISOString();
    const body = { name: 'ci', scopes: ['read' as const] };
    for (const expires_at of [at(0), at(-DAY), at(365 * DAY + 1)])
      await browser.refused('createApiKey', 'invalid', { body: { ...body, expires_at } });
    const { data } = (await browser.ok('createApiKey', { body: { ...body, expires_at: at(365 * DAY) } })).body;
    expect(data.expires_at).to.equal(at(365 * DAY));
    await browser.refused('createApiKey', 'invalid', { body: { ...body, scopes: [] } });
    const twice = await browser.refused('createApiKey', 'invalid', { body: { ...body, scopes: ['read', 'read'] } });
    expect(twice.body.errors).to.have.nested.property('[0].pointer', '/scopes');
  });

  it('are bound only to a team in sight; what is out of sight is unknown', async () => {
    const { browser, world } = stage();
    const elsewhere = await world.team(await world.person('Bob'), 'Elsewhere');
    const wish = (team_id: string) => ({
      body: { name: 'ci', scopes: ['read' as const], team_id },
      headers: { 'x-request-id': 'one' },
    });
    const invisible = await browser.refused('createApiKey', 'invalid', wish(elsewhere.id));
    const unknown = await browser.refused('createApiKey', 'invalid', wish(randomUUID()));
    expect(invisible.body.errors).to.have.nested.property('[0].pointer', '/team_id');
    expect(invisible.text).to.equal(unknown.text);
  });

  it('belong to one place: the only team of their maker unless said, one project, or all teams when asked for', async () => {
    const { browser, team, project, world, ada } = stage();
    const body = { name: 'ci', scopes: ['read' as const] };
    const make = async (home: object) => (await browser.ok('createApiKey', { body: { ...body, ...home } })).body.data;
    expect(await make({})).to.include({ team_id: team.id, project_id: null });
    expect(await make({ project_id: project.id.toUpperCase() })).to.include({
      team_id: team.id,
      project_id: project.id,
    });
    const second = await world.team(ada, 'Second');
    const unsaid = await browser.refused('createApiKey', 'invalid', { body });
    expect(unsaid.body.errors).to.have.nested.property('[0].pointer', '/team_id');
    const all = await make({ all_teams: true });
    expect(all.team_id).to.equal(null);
    expect(all.home_team_ids).to.have.members([team.id, second.id]);
    for (const home of [
      { team_id: team.id, project_id: project.id },
      { team_id: team.id, all_teams: true },
    ])
      await browser.refused('createApiKey', 'invalid', { body: { ...body, ...home } });
    const elsewhere = await browser.refused('createApiKey', 'invalid', { body: { ...body, project_id: randomUUID() } });
    expect(elsewhere.body.errors).to.have.nested.property('[0].pointer', '/project_id');
  });

  it('that write need the role member', async () => {
    const { service, world, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'viewer');
    const browser = service.signedIn(bob);
    await browser.refused('createApiKey', 'forbidden', { body: { name: 'ci', scopes: ['test-runs:write'] } });
    const { data } = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'] } })).body;
    await service.withKey(data.key).ok('listTeams');
  });

  it('ignore Idempotency-Key, since the answer holds a secret', async () => {
    const { browser } = stage();
    const sent = { body: { name: 'ci', scopes: ['read' as const] }, headers: { 'idempotency-key': 'one' } };
    const [one, two] = [await browser.ok('createApiKey', sent), await browser.ok('createApiKey', sent)];
    expect(one.body.data.key).not.to.equal(two.body.data.key);
    expect(two.headers).not.to.have.property('idempotent-replayed');
  });
});
