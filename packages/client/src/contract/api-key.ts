import { Id, IdOrNull, MixedScripts, Text, Timestamp, TimestampOrNull } from './field.js';
import { CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { TEAM } from './path.js';
import { envelope, type FromSchema, list, pageOf, pageQuery, record, type Schema, wordsIn } from './schema.js';

export const ScopeName = {
  type: 'string',
  enum: ['read', 'deployments:write', 'test-runs:write', 'axes:write'],
} as const satisfies Schema;

const members = {
  id: Id,
  name: Text,
  scopes: { type: 'array', items: ScopeName, minItems: 1, uniqueItems: true },
  team_id: { ...IdOrNull, description: 'The only team it sees; null: all teams of its maker.' },
  project_id: { ...IdOrNull, description: 'The only project it sees, of that team; null: all of them.' },
  home_team_ids: {
    type: 'array',
    items: Id,
    description:
      'Where names are looked for first: its team, or the teams its maker was in when a key of all teams was made. Another ' +
      'team changes nothing about what a name means here.',
  },
  barred_team_ids: { type: 'array', items: Id, description: 'Teams whose owners took it out of their team.' },
  prefix: { ...Text, description: 'Its first characters, to tell keys apart.' },
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: { ...TimestampOrNull, description: 'To the minute.' },
  last_used_address: {
    type: ['string', 'null'],
    description: 'Network address of that use; null: not used since addresses are kept.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

export const ApiKey = record({
  title: 'ApiKey',
  description: 'A key for pipelines, without the key itself.',
  properties: members,
});
export type ApiKey = FromSchema<typeof ApiKey>;

export const NewApiKey = record({
  title: 'NewApiKey',
  description: 'A key for pipelines. `key` is answered this once only.',
  properties: { ...members, key: { ...Text, description: 'What goes behind `Authorization: Bearer`.' } },
});
export type NewApiKey = FromSchema<typeof NewApiKey>;

export const TeamApiKey = record({
  title: 'TeamApiKey',
  description: 'A key that reaches a team, as the owners of the team see it.',
  properties: {
    id: Id,
    name: Text,
    maker: record({ properties: { user_id: Id, name: Text, email: Text, mixed_scripts: MixedScripts } }),
    scopes: members.scopes,
    all_teams: { type: 'boolean', description: 'Whether it reaches all teams of its maker.' },
    project_id: members.project_id,
    prefix: members.prefix,
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: members.last_used_at,
    last_used_address: members.last_used_address,
  },
});
export type TeamApiKey = FromSchema<typeof TeamApiKey>;

const KEYS = '/api/settings/api-keys';

const ownQuery = {
  q: wordsIn('the name and the prefix'),
} as const satisfies Readonly<Record<string, Schema>>;

export const listApiKeys = {
  method: 'GET',
  path: KEYS,
  tag: 'settings',
  summary: 'List the own API keys, newest first',
  auth: { kind: 'session' },
  query: record({ properties: ownQuery, optional: ['q'] }),
  success: { status: 200, body: list(ApiKey) },
  problems: [],
} as const satisfies Operation;

export const exportApiKeys = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${KEYS}.csv`,
  tag: 'settings',
  summary: 'Export the own API keys as CSV, newest first',
  auth: { kind: 'session' },
  query: record({ properties: ownQuery, optional: ['q'] }),
} as const satisfies Operation;

export const createApiKey = {
  method: 'POST',
  path: KEYS,
  tag: 'settings',
  summary: 'Create an API key',
  description:
    'It can do at most what its maker can do at the time of each request; write scopes need the role member. It belongs to ' +
    'one team or one project; who is in one team only may leave that out. `all_teams` reaches every team that its maker is in ' +
    'or joins later: the holder of such a key has all of them, so prefer a key of one project. A person has 500 ' +
    'unrevoked keys at most; more are refused (422 with the code `too-many` at `/name`).',
  auth: { kind: 'session' },
  body: record({
    title: 'ApiKeyRequest',
    properties: {
      name: Text,
      scopes: members.scopes,
      team_id: { ...Id, description: 'The only team it shall see.' },
      project_id: { ...Id, description: 'The only project it shall see, in place of `team_id`.' },
      all_teams: { type: 'boolean', description: 'Whether it shall see all teams, in place of `team_id`.' },
      expires_at: { ...Timestamp, description: 'At most 365 days ahead; 90 days unless given.' },
    },
    optional: ['team_id', 'project_id', 'all_teams', 'expires_at'],
    examples: [{ name: 'checkout pipeline', scopes: ['deployments:write', 'test-runs:write'] }],
  }),
  success: { status: 201, body: envelope(NewApiKey) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const revokeApiKey = {
  method: 'DELETE',
  path: `${KEYS}/{api_key_id}`,
  tag: 'settings',
  summary: 'Revoke an API key',
  auth: { kind: 'session' },
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

const teamQuery = {
  q: wordsIn('the name, the prefix, and name and address of the maker'),
} as const satisfies Readonly<Record<string, Schema>>;

export const listTeamApiKeys = {
  method: 'GET',
  path: `${TEAM}/api-keys`,
  tag: 'teams',
  summary: 'List the API keys that reach a team, newest first',
  description:
    'Keys of its members, for the team, one of its projects, or all teams; without those revoked or expired.',
  auth: { kind: 'session', role: 'owner' },
  query: record({ properties: { ...pageQuery, ...teamQuery }, optional: ['limit', 'cursor', 'q'] }),
  success: { status: 200, body: pageOf(TeamApiKey) },
  problems: [],
} as const satisfies Operation;

export const exportTeamApiKeys = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${TEAM}/api-keys.csv`,
  tag: 'teams',
  summary: 'Export the API keys that reach a team as CSV, newest first',
  auth: { kind: 'session', role: 'owner' },
  query: record({ properties: teamQuery, optional: ['q'] }),
} as const satisfies Operation;

export const barApiKey = {
  method: 'DELETE',
  path: `${TEAM}/api-keys/{api_key_id}`,
  tag: 'teams',
  summary: 'Take an API key out of a team',
  description: 'For good. A key of that team alone is refused from then on; one of all teams goes on in the others.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;
