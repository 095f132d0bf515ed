import { ScopeName } from './api-key.js';
import { Id, IdOrNull, Text, Timestamp } from './field.js';
import { RoleName } from './member.js';
import type { Operation } from './operation.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';
import { Slug } from './team.js';

export const Caller = record({
  title: 'Caller',
  description: 'Who makes the request.',
  properties: {
    kind: { type: 'string', enum: ['session', 'api_key'] },
    id: { ...Id, description: 'Of the key or the session.' },
    name: { ...Text, description: "The key's name, or the person's." },
    user_id: Id,
    administrator: { type: 'boolean' },
    scopes: { type: 'array', items: ScopeName, description: 'A session has all.' },
    teams: { type: 'array', items: record({ properties: { id: Id, name: Text, slug: Slug, role: RoleName } }) },
    project_id: { ...IdOrNull, description: 'The only project that a key sees; null: all of its teams.' },
    expires_at: Timestamp,
  },
});
export type Caller = FromSchema<typeof Caller>;

export const whoAmI = {
  method: 'GET',
  path: '/api/whoami',
  tag: 'session',
  summary: 'Read who the key or session is',
  auth: { kind: 'key', scope: null },
  success: { status: 200, body: envelope(Caller) },
  problems: [],
} as const satisfies Operation;
