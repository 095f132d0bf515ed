import { Id, Text, Timestamp } from './field.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { TEAM } from './path.js';
import { record } from './record.js';
import type { FromSchema } from './schema.js';

export const AuditEntry = record({
  title: 'AuditEntry',
  description: 'Who did what to which resource, from where. Never holds a secret.',
  properties: {
    id: Id,
    at: Timestamp,
    actor: record({
      properties: {
        user_id: { ...Id, type: ['string', 'null'], description: 'null: nobody.' },
        name: Text,
        kind: {
          type: 'string',
          enum: ['session', 'api_key', 'service'],
          description: '`service`: what the service does by itself, such as disabling a webhook.',
        },
      },
    }),
    action: { ...Text, description: 'Noun and verb.', examples: ['release.ship'] },
    resource: record({ properties: { type: Text, id: Text } }),
    address: { type: 'string', description: 'Network address of the caller; empty where nobody called.' },
    request_id: { type: 'string' },
    detail: { type: 'object', additionalProperties: true, description: 'What changed.' },
  },
});
export type AuditEntry = FromSchema<typeof AuditEntry>;

export const listAuditEntries = {
  method: 'GET',
  path: `${TEAM}/audit`,
  tag: 'teams',
  summary: "List a team's audit log, newest first",
  auth: { kind: 'session', role: 'owner' },
  query: PageQuery,
  success: { status: 200, body: pageOf(AuditEntry) },
  problems: [],
} as const satisfies Operation;
