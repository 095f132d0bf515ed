import { Id, IdOrNull, Text, Timestamp, TimestampOrNull } from './field.js';
import type { Operation } from './operation.js';
import { envelope, list, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

export const ScopeName = {
  type: 'string',
  enum: ['read', 'deployments:write', 'test-runs:write'],
} as const satisfies Schema;

const members = {
  id: Id,
  name: Text,
  scopes: { type: 'array', items: ScopeName, minItems: 1, uniqueItems: true },
  team_id: { ...IdOrNull, description: 'The only team it sees; null: all of its maker.' },
  prefix: { ...Text, description: 'Its first characters, to tell keys apart.' },
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: { ...TimestampOrNull, description: 'To the minute.' },
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

const KEYS = '/api/settings/api-keys';

export const listApiKeys = {
  method: 'GET',
  path: KEYS,
  tag: 'settings',
  summary: 'List the own API keys, newest first',
  auth: { kind: 'session' },
  success: { status: 200, body: list(ApiKey) },
  problems: [],
} as const satisfies Operation;

export const createApiKey = {
  method: 'POST',
  path: KEYS,
  tag: 'settings',
  summary: 'Create an API key',
  description:
    'It can do at most what its maker can do at the time of each request; write scopes need the role member.',
  auth: { kind: 'session' },
  body: record({
    title: 'ApiKeyRequest',
    properties: {
      name: Text,
      scopes: members.scopes,
      team_id: { ...Id, description: 'The only team it shall see.' },
      expires_at: { ...Timestamp, description: 'At most 365 days ahead; 90 days unless given.' },
    },
    optional: ['team_id', 'expires_at'],
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
