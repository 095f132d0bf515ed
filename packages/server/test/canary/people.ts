import type { Teller } from './teller.js';

const post = (body: unknown) => ({ method: 'POST', body });
const put = (body: unknown) => ({ method: 'PUT', body });

/** Sets up, signs in and out, rightly and wrongly, and in bodies that are broken. */
export const signIn = async (teller: Teller, setupToken: string): Promise<void> => {
  const email = 'ada@acme.dev';
  const [password, wrong, next] = ['the first password', 'a wrong password', 'the new password'].map((name) =>
    teller.plant(name),
  );
  const setup = { setup_token: setupToken, email, name: 'Ada', password };
  await teller.ask('wrong setup', '/api/setup', post({ ...setup, setup_token: teller.plant('a wrong setup token') }));
  await teller.data('setup', '/api/setup', post(setup));
  await teller.ask('second setup', '/api/setup', post(setup));
  await teller.ask('wrong sign-in', '/api/session', post({ email, password: wrong }));
  await teller.ask('broken sign-in', '/api/session', post(`{"email":"${email}","password":"${wrong}`));
  await teller.ask('bare sign-in', '/api/session', post(JSON.stringify(wrong)));
  await teller.ask('long sign-in', '/api/session', post({ email, password: `${wrong}${'x'.repeat(300)}` }));
  await teller.ask('odd sign-in', '/api/session', post({ email, pass: wrong }));
  await teller.data('sign-in', '/api/session', post({ email, password }));
  const change = { current_password: wrong, new_password: next };
  await teller.ask('wrong change of password', '/api/session/password', put(change));
  await teller.ask('change of password', '/api/session/password', put({ ...change, current_password: password }));
};

/** Makes a key, shows it rightly and wrongly, and revokes it; answers another one. */
export const useKeys = async (teller: Teller): Promise<string> => {
  const scopes = ['read', 'deployments:write', 'test-runs:write'];
  const make = async (name: string) => {
    const data = await teller.data(`making ${name}`, '/api/settings/api-keys', post({ name, scopes }));
    return { id: data.id, key: teller.found(name, data.key, [`the answer of making ${name}`]) };
  };
  const [first, second] = [await make('the first key'), await make('the second key')];
  const shown = (authorization: string) => ({ headers: { authorization } });
  await teller.ask('the key', '/api/whoami', shown(`Bearer ${first.key}`));
  await teller.ask('the mistyped key', '/api/whoami', shown(`Bearer ${first.key}x`));
  await teller.ask('the key as user', '/api/whoami', shown(`Basic ${btoa(`${first.key}:`)}`));
  await teller.ask('something else', '/api/whoami', shown(`Bearer ${teller.plant('a foreign bearer token')}`));
  await teller.ask('another cookie', '/api/whoami', {
    headers: { cookie: `other=${teller.plant('a foreign cookie')}` },
  });
  await teller.ask('keys', '/api/settings/api-keys');
  await teller.ask('revoking', `/api/settings/api-keys/${first.id}`, { method: 'DELETE' });
  await teller.ask('the revoked key', '/api/whoami', shown(`Bearer ${first.key}`));
  return second.key;
};

export const invite = async (teller: Teller, teamId: unknown): Promise<void> => {
  const { token } = await teller.data('inviting', '/api/invitations', post({ team_id: teamId, role: 'member' }));
  const grace = {
    token: teller.found('the invitation', token, ['the answer of inviting']),
    email: 'grace@acme.dev',
    name: 'Grace',
    password: teller.plant("Grace's password"),
  };
  const headers = {};
  await teller.ask('a wrong invitation', '/api/invitations/accept', {
    ...post({ ...grace, token: teller.plant('a wrong invitation') }),
    headers,
  });
  await teller.data('accepting', '/api/invitations/accept', { ...post(grace), headers });
  await teller.ask('accepting again', '/api/invitations/accept', { ...post(grace), headers });
};
