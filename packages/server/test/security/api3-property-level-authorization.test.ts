import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { newInvitation, newMember, newRelease, waiverUntil } from '../harness/preparations.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes;

/** The only answers that hold a secret, each handing over what it made or what is to be entered elsewhere. */
const HANDED_OVER: Readonly<Record<string, readonly string[]>> = {
  createApiKey: ['an API key'],
  createInvitation: ['token'],
  addMember: ['token'],
  showBadge: ['token'],
  createWebhook: ['secret'],
  rotateWebhookSecret: ['secret'],
  readRepositoryWebhook: ['secret'],
};
/** A moment until which a secret holds is none. */
const SECRET = /^(?!.*_until$).*(secret|token|password|hash|sealed|verifier|grant|salt)/i;
const API_KEY = /swk_[0-9A-Za-z]{36}/;

/** Every member's name in a value, however deep. */
const namesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

const callerOf = ({ service, pipeline, browser }: Stage, { auth }: Operation): Caller => {
  if (auth.kind === 'open' || auth.kind === 'signature') return service.anonymous;
  return auth.kind === 'key' ? pipeline : browser;
};

describe('OWASP API3, broken object property level authorization', () => {
  const stage = useStage();

  it('shows no member that is a secret, but where it is handed over', async () => {
    const shown: Record<string, readonly string[]> = {};
    // It ends what the others need, and documents hold schemas, not values.
    const left = (Object.keys(successes) as Id[]).filter((id) => !['signOut', 'readOpenApi'].includes(id));
    for (const id of left) {
      const { body, text } = await callerOf(stage(), operations[id]).ok(id, (await successes[id](stage())) as never);
      const names = new Set(namesIn(body).filter((name) => SECRET.test(name)));
      if (API_KEY.test(text)) names.add('an API key');
      if (names.size > 0) shown[id] = [...names];
    }
    expect(shown).to.deep.equal(HANDED_OVER);
  });

  it('lets no one set what the service decides', async () => {
    const { browser, pipeline, service, inProject, inRelease, team } = stage();
    const { token } = await newInvitation(stage());
    const planned = await newRelease(stage(), 'planned');
    const refused = async (caller: Caller, id: Id, sent: object, body: object, more: Record<string, unknown>) => {
      const rawBody = JSON.stringify({ ...body, ...more });
      const answer = await caller.refused(id, 'invalid', { ...sent, rawBody } as never);
      const pointers = answer.body.errors?.map(({ pointer }) => pointer);
      expect(pointers, id).to.have.members(Object.keys(more).map((name) => `/${name}`));
    };
    const when = '2020-01-01T00:00:00Z';
    const account = { token, email: 'eve@acme.dev', name: 'Eve', password: 'a long enough phrase' };
    const elevated = { role: 'owner', administrator: true, team_id: team.id };
    await refused(service.anonymous, 'acceptInvitation', {}, account, elevated);
    await refused(browser, 'createRelease', { path: inProject }, { name: 'x' }, { state: 'shipped', shipped_at: when });
    await refused(browser, 'changeRelease', { path: planned }, { name: 'x' }, { state: 'shipped', version: 9 });
    await refused(browser, 'waiveReason', { path: inRelease }, waiverUntil(stage()), { created_by: 'Eve', by: 'Ada' });
    await refused(browser, 'createApiKey', {}, { name: 'k', scopes: ['read'] }, { user_id: team.id, key: 'swk_mine' });
    const path = await newMember(stage());
    await refused(browser, 'changeMemberRole', { path }, { role: 'viewer' }, { user_id: team.id });
    await refused(pipeline, 'recordTestRun', { path: inProject }, RUN, { recorded_at: when, recorded_by: 'Ada' });
    await refused(pipeline, 'recordDeployment', {}, FINISHED, { id: team.id, created_at: when, attribution: {} });
  });

  it('reaches no prototype through a body', async () => {
    const { browser } = stage();
    for (const name of ['__proto__', 'constructor', 'prototype'])
      await browser.refused('createTeam', 'invalid', { rawBody: `{"name":"T","${name}":{"administrator":true}}` });
    expect(Reflect.get({}, 'administrator')).to.equal(undefined);
  });
});
