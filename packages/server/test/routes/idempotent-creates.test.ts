import { type Operation, type OperationId, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage, useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes;
interface Given {
  readonly path?: object;
  readonly body?: unknown;
  readonly rawBody?: string;
}

const operationOf = (id: OperationId): Operation => operations[id];
const HONOURING = (Object.keys(successes) as Id[]).filter((id) => operationOf(id).idempotent);
const idOf = (body: unknown): unknown => (body as { data: { id?: unknown } }).data.id;

onEveryStore('a repeated request', (open) => {
  const stage = useStage(open);

  for (const id of HONOURING) {
    const isOfKey = operationOf(id).auth.kind === 'key';
    /** Two API keys, which are two callers, or two sessions of a person, which are one. */
    const callers = async (): Promise<readonly [Caller, Caller]> => {
      const { service, pipeline, browser, world, ada } = stage();
      return isOfKey
        ? [pipeline, service.withKey(await world.key(ada))]
        : [browser, service.signedIn(await world.session(ada.user))];
    };
    const send = (
      caller: Caller,
      { body, rawBody, ...given }: Given,
      more = '',
      key = `key of ${id}`.replaceAll(' ', '-'),
    ) =>
      caller.ask(id, {
        ...given,
        rawBody: (rawBody ?? JSON.stringify(body)) + more,
        headers: { 'idempotency-key': key },
      } as never);

    it(`of ${id} is answered as the first was, to the byte`, async () => {
      const [caller, other] = await callers();
      const given = (await successes[id](stage())) as Given;
      const first = await send(caller, given);
      expect(first.status, first.text).to.equal(operationOf(id).success.status);
      expect(first.headers).not.to.have.property('idempotent-replayed');
      const again = await send(caller, given);
      expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
      expect(again.headers.location).to.equal(first.headers.location);
      expect(again.headers['idempotent-replayed']).to.equal('true');
      const reused = await send(caller, given, ' ');
      // Without a body there is nothing in which two requests could differ.
      const refused = operationOf(id).body !== undefined;
      expect(reused.status, reused.text).to.equal(refused ? 422 : first.status);
      expect(reused.text).to.contain(refused ? 'idempotency-key-reused' : first.text);
      const { headers } = await send(other, given);
      expect(headers['idempotent-replayed']).to.equal(isOfKey ? undefined : 'true');
    });

    it(`of ${id} needs a key of visible characters`, async () => {
      const [caller] = await callers();
      const given = (await successes[id](stage())) as Given;
      const { status, text } = await send(caller, given, '', 'x'.repeat(256));
      expect(status, text).to.equal(422);
      expect(text).to.contain('Idempotency-Key');
    });
  }
});

onEveryStore('a request sent many times at once under one key', (open) => {
  const stage = useFreshStage(open);

  it('has one effect', async () => {
    const { browser, inProject: path } = stage();
    const sent = { path, body: { name: '3.0' }, headers: { 'idempotency-key': 'once' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.ask('createRelease', sent)));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).to.be.at.least(1);
    expect(new Set(created.map(({ text }) => text)).size).to.equal(1);
    for (const { status, headers, text } of answers) {
      if (status === 201) continue;
      expect([status, headers['retry-after']], text).to.deep.equal([409, '1']);
    }
    const releases = (await browser.ok('listReleases', { path })).body.data.filter(({ name }) => name === '3.0');
    expect(releases.map(({ id }) => id)).to.deep.equal([idOf(created[0]?.body)]);
  });

  it('leaves the key free when it is refused', async () => {
    const { browser, inProject: path, inRelease } = stage();
    const sent = { path, body: { name: '2.4' }, headers: { 'idempotency-key': 'later' } };
    await browser.refused('createRelease', 'name-taken', sent);
    await browser.ok('changeRelease', { path: inRelease, body: { name: '2.4 old' } });
    const { headers } = await browser.ok('createRelease', sent);
    expect(headers).not.to.have.property('idempotent-replayed');
  });

  it('is replayed only to anyone who may still send it', async () => {
    const { service, world, team, inProject: path } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const browser = service.signedIn(bob);
    const sent = { path, body: { name: '3.0' }, headers: { 'idempotency-key': 'mine' } };
    await browser.ok('createRelease', sent);
    await service.ports.stores.teams.changeRole(team.id, bob.user.id, 'viewer');
    service.clock.pass(2000);
    await browser.refused('createRelease', 'forbidden', sent);
    await service.ports.stores.teams.removeMember(team.id, bob.user.id);
    service.clock.pass(2000);
    await browser.refused('createRelease', 'not-found', sent);
  });

  it('means another path, another request', async () => {
    const { browser, world, ada, team, inProject } = stage();
    const other = await world.project(ada, team, 'billing');
    const headers = { 'idempotency-key': 'same' };
    const body = { name: '3.0' };
    const one = await browser.ok('createRelease', { path: inProject, body, headers });
    const path = { team_id: team.id, project_id: other.id };
    const two = await browser.ok('createRelease', { path, body, headers });
    expect(one.body.data.id).not.to.equal(two.body.data.id);
  });
});
