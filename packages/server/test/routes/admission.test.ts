import { randomUUID } from 'node:crypto';
import { type Operation, operations, type ProblemType, type Role } from '@shipworthy/client/contract';
import { atLeast, ROLES, SCOPES } from '@shipworthy/domain';
import { revokeApiKey } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import type { Answer, Caller, Refusal } from '../harness/caller.js';
import { type Stage, useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes;
type Given = { readonly path?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>> };

const IDS = (Object.keys(successes) as Id[]).filter(
  (id) => operations[id].auth.kind === 'key' || operations[id].auth.kind === 'session',
);
const operationOf = (id: Id): Operation => operations[id];

/** The first person of each role, made when first needed. */
const people = new WeakMap<Stage, Map<string, Awaited<ReturnType<Stage['world']['person']>>>>();
const personOf = async (stage: Stage, role: Role | 'outsider') => {
  const known = people.get(stage) ?? new Map();
  people.set(stage, known);
  const found = known.get(role);
  if (found !== undefined) return found;
  const person = await stage.world.person(role);
  if (role === 'outsider') await stage.world.team(person, 'Elsewhere');
  else await stage.world.member(stage.team, person, role);
  known.set(role, person);
  return person;
};

/** The person's browser, or key with every scope where the operation takes one. */
const callerFor = async (stage: Stage, id: Id, role: Role | 'outsider'): Promise<Caller> => {
  const person = await personOf(stage, role);
  return operationOf(id).auth.kind === 'session'
    ? stage.service.signedIn(person)
    : stage.service.withKey(await keyOf(stage, person));
};

const keyOf = async (
  { service: { ports }, world }: Stage,
  person: Awaited<ReturnType<Stage['world']['person']>>,
  expiresIn = 3_600_000,
) => {
  const key = ports.secrets.newApiKey();
  const told = { hash: ports.secrets.hash(key), prefix: key.slice(0, 12), createdAt: ports.clock() };
  const unused = { lastUsedAt: null, lastUsedAddress: null, revokedAt: null };
  const home = { teamId: null, projectId: null, homeTeams: [], barredTeams: [] };
  const { userId } = (await world.actor(person)).principal;
  const made = { id: ports.newId(), userId, name: 'pipeline', scopes: SCOPES, expiresAt: ports.clock() + expiresIn };
  await ports.stores.apiKeys.create({ ...made, ...told, ...unused, ...home });
  return key;
};

const refuse = (caller: Caller, id: Id, type: ProblemType, given: Given): Promise<Answer<Refusal>> =>
  caller.refused(id, type, given as never);

/** A problem without what names the request. */
const told = ({ status, body }: Answer<Refusal>) => ({ ...body, status, instance: '', request_id: '' });

describe('admission to every operation', () => {
  const stage = useStage();

  for (const id of IDS) {
    const { auth, method, path, parameters } = operationOf(id);
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !parameters?.[name]);
    const given = async (): Promise<Given> => (await successes[id](stage())) as Given;
    const needed = 'role' in auth ? auth.role : undefined;
    const inTeam = path.includes('{team_id}');

    it(`${id} is for no one without a valid key or session`, async () => {
      const { service, world, ada } = stage();
      const key = await world.key(ada);
      const [newest] = await service.ports.stores.apiKeys.ofUser(ada.user.id);
      const keyId = newest?.id ?? expect.fail('The key was not kept.');
      await revokeApiKey(service.ports, { by: await world.actor(ada), keyId });
      const sent = await given();
      const shown = [
        {},
        { authorization: `Bearer ${key}` },
        { authorization: `Bearer ${await keyOf(stage(), ada, 0)}` },
        { authorization: `Bearer ${service.ports.secrets.newApiKey()}` },
        { authorization: 'Basic YWRh' },
        { cookie: 'shipworthy_session=x' },
      ];
      for (const headers of shown)
        await refuse(service.anonymous, id, 'unauthenticated', { ...sent, headers: { ...sent.headers, ...headers } });
    });

    if (auth.kind === 'session')
      it(`${id} is for sessions only`, async () => {
        await refuse(stage().pipeline, id, 'session-only', await given());
      });

    if (auth.kind === 'key' && auth.scope !== null)
      it(`${id} needs its scope`, async () => {
        const { service, world, ada } = stage();
        const others = SCOPES.filter((scope) => scope !== auth.scope);
        const key = await world.key(ada, { scopes: others });
        const { body } = await refuse(service.withKey(key), id, 'missing-scope', await given());
        expect(body.detail).to.contain(auth.scope);
      });

    if (method !== 'GET')
      it(`${id} takes no cookie from another site's page`, async () => {
        const { service, ada } = stage();
        const sent = await given();
        for (const origin of ['https://evil.example', 'null', `${service.baseUrl}.evil.example`]) {
          const headers = { ...sent.headers, origin };
          await refuse(service.signedIn(ada), id, 'cross-site', { ...sent, headers });
        }
      });

    if (inTeam)
      it(`${id} answers outsiders as if there were nothing`, async () => {
        const sent = await given();
        const outsider = await callerFor(stage(), id, 'outsider');
        const invisible = await refuse(outsider, id, 'not-found', sent);
        const unknown = await refuse(outsider, id, 'not-found', {
          ...sent,
          path: { ...sent.path, team_id: randomUUID() },
        });
        expect(told(invisible)).to.deep.equal(told(unknown));
      });

    if (inTeam && needed !== undefined)
      for (const role of ROLES.filter((one) => !atLeast(one, needed)))
        it(`${id} is not for a ${role}`, async () => {
          const caller = await callerFor(stage(), id, role);
          const { status } = await refuse(caller, id, 'forbidden', await given());
          expect(status).to.equal(403);
        });

    // A viewer may take part in removing members by leaving only.
    if (inTeam && needed !== undefined && id !== 'removeMember')
      it(`${id} is for a ${needed}`, async () => {
        const caller = await callerFor(stage(), id, needed);
        await caller.ok(id, (await given()) as never);
      });

    for (const name of ids)
      it(`${id} finds no unknown ${name}, and no slug`, async () => {
        const sent = await given();
        // Outside of teams an operation may be for administrators only, as the person of the stage is.
        const caller = inTeam ? await callerFor(stage(), id, 'owner') : stage().browser;
        await refuse(caller, id, 'not-found', { ...sent, path: { ...sent.path, [name]: randomUUID() } });
        const { body } = await refuse(caller, id, 'not-found', { ...sent, path: { ...sent.path, [name]: 'payments' } });
        expect(body.detail).to.contain('UUID');
      });
  }
});
