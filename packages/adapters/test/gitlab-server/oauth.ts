import { createHash, randomBytes } from 'node:crypto';
import { type Answer, ok, refused } from './answer.js';
import type { TokenPair, World } from './world.js';

const LIFE_SECONDS = 7200;

/** A person approves on the page that was opened: answers where GitLab sends them back to. An address that is not registered is an error on that page. */
export const approve = (world: World, page: string, account: string): URL => {
  const asked = new URL(page).searchParams;
  const redirectUrl = asked.get('redirect_uri') ?? '';
  const isKnown = asked.get('client_id') === world.clientId && world.redirectUrls.includes(redirectUrl);
  if (!isKnown) throw new Error('The redirect URI included is not valid.');
  const code = randomBytes(12).toString('hex');
  world.codes.set(code, { account, redirectUrl, challenge: asked.get('code_challenge') ?? '' });
  const back = new URL(redirectUrl);
  back.searchParams.set('code', code);
  back.searchParams.set('state', asked.get('state') ?? '');
  return back;
};

/** New tokens of that account. */
export const newPair = (world: World, account: string, redirectUrl: string): TokenPair => {
  const pair = {
    access: randomBytes(32).toString('hex'),
    refresh: randomBytes(32).toString('hex'),
    account,
    redirectUrl,
    expiresAt: world.now() + LIFE_SECONDS * 1000,
    ended: false,
  };
  world.pairs.push(pair);
  return pair;
};

const given = (world: World, account: string, redirectUrl: string): Answer => {
  const pair = newPair(world, account, redirectUrl);
  return ok({
    access_token: pair.access,
    token_type: 'Bearer',
    expires_in: LIFE_SECONDS,
    refresh_token: pair.refresh,
    scope: 'read_api',
    created_at: Math.floor(world.now() / 1000),
  });
};

const byCode = (world: World, form: URLSearchParams): Answer => {
  const code = world.codes.get(form.get('code') ?? '');
  world.codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const fits = code?.redirectUrl === form.get('redirect_uri') && code?.challenge === challenge;
  return code === undefined || !fits ? refused(400, 'invalid_grant') : given(world, code.account, code.redirectUrl);
};

const byRefresh = (world: World, form: URLSearchParams): Answer => {
  const pair = world.pairs.find(({ refresh }) => refresh === form.get('refresh_token'));
  if (pair === undefined || pair.ended || pair.redirectUrl !== form.get('redirect_uri'))
    return refused(400, 'invalid_grant');
  pair.ended = true;
  return given(world, pair.account, pair.redirectUrl);
};

const isClient = (world: World, form: URLSearchParams): boolean =>
  form.get('client_id') === world.clientId && form.get('client_secret') === world.clientSecret;

/** POST /oauth/token */
export const token = (world: World, form: URLSearchParams): Answer => {
  if (!isClient(world, form)) return refused(401, 'invalid_client');
  if (form.get('grant_type') === 'authorization_code') return byCode(world, form);
  return form.get('grant_type') === 'refresh_token' ? byRefresh(world, form) : refused(400, 'unsupported_grant_type');
};

/** POST /oauth/revoke: an access token that ran out ends nothing, any other token ends its pair. */
export const revoke = (world: World, form: URLSearchParams): Answer => {
  if (!isClient(world, form)) return refused(403, 'unauthorized_client');
  const wanted = form.get('token');
  for (const pair of world.pairs) {
    if (pair.refresh === wanted || (pair.access === wanted && pair.expiresAt > world.now())) pair.ended = true;
  }
  return ok({});
};
