import { Text } from './field.js';
import type { Operation } from './operation.js';
import { record } from './record.js';
import type { FromSchema } from './schema.js';

export const HostConnection = record({
  title: 'HostConnection',
  description: "The caller's connection to the repository host.",
  properties: {
    configured: { type: 'boolean', description: 'false: the server is not set up to connect the repository host.' },
    connected: { type: 'boolean', description: "false: the caller's account is not connected." },
    account: { ...Text, description: 'The connected account.' },
  },
  optional: ['account'],
  examples: [{ configured: true, connected: false }],
});
export type HostConnection = FromSchema<typeof HostConnection>;

export const HostCheck = record({
  title: 'HostCheck',
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'rejected'],
      description: '`rejected`: approve access again in the application.',
    },
  },
  examples: [{ status: 'ok' }],
});
export type HostCheck = FromSchema<typeof HostCheck>;

export const readHostConnection = {
  method: 'GET',
  path: '/api/settings/github',
  tag: 'settings',
  summary: 'Read the connection to the repository host',
  auth: { kind: 'key', scope: 'read' },
  success: { status: 200, body: HostConnection },
  problems: [],
} as const satisfies Operation;

export const checkHostConnection = {
  method: 'GET',
  path: '/api/settings/github/check',
  tag: 'settings',
  summary: 'Check that the stored connection still works',
  auth: { kind: 'key', scope: 'read' },
  success: { status: 200, body: HostCheck },
  problems: ['host-not-configured'],
} as const satisfies Operation;
