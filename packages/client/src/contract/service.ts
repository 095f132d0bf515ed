import { Text } from './field.js';
import { OPERATION_GROUPS, type Operation } from './operation.js';
import { envelope, record, type Schema } from './schema.js';

const Page = { type: 'string' } as const satisfies Schema;
const Alive = record({ title: 'Health', properties: { status: { type: 'string', const: 'ok' } } });
const open = { kind: 'open' } as const;

export const readOpenApi = {
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'service',
  summary: 'Read this document',
  auth: open,
  unlimited: true,
  success: { status: 200, body: { type: 'object', additionalProperties: true } },
  problems: [],
} as const satisfies Operation;

export const readDocs = {
  method: 'GET',
  path: '/api/docs',
  tag: 'service',
  summary: 'Read about the interface and try it',
  auth: open,
  success: { status: 200, body: Page, contentType: 'text/html; charset=utf-8' },
  problems: [],
} as const satisfies Operation;

export const checkAlive = {
  method: 'GET',
  path: '/livez',
  tag: 'service',
  summary: 'Check that the process is alive',
  description: 'Never touches the database.',
  auth: open,
  unlimited: true,
  success: { status: 200, body: Alive },
  problems: [],
} as const satisfies Operation;

export const checkReady = {
  method: 'GET',
  path: '/readyz',
  tag: 'service',
  summary: 'Check that the service can answer',
  description: 'The database answers, its migrations are done, and the process is not draining.',
  auth: open,
  unlimited: true,
  success: { status: 200, body: Alive },
  problems: [],
} as const satisfies Operation;

const About = record({
  title: 'About',
  description: 'What a person who is not signed in must know to go on.',
  properties: {
    set_up: { type: 'boolean', description: 'false: the setup token makes the first administrator.' },
    repository_host: {
      oneOf: [
        record({
          properties: {
            name: { ...Text, description: 'As it is written in paths: `/api/settings/{name}`.' },
            title: { ...Text, description: 'As people call it.' },
          },
        }),
        { type: 'null' },
      ],
      description: 'null: the server is not set up to connect one.',
    },
    not_offered: {
      type: 'array',
      items: { type: 'string', enum: OPERATION_GROUPS },
      description: 'What this service has no stores for, and answers `not-offered` to; empty for one with all of them.',
    },
  },
});

export const readAbout = {
  method: 'GET',
  path: '/api/about',
  tag: 'service',
  summary: 'Read whether the service is set up, and which repository host it knows',
  auth: open,
  success: { status: 200, body: envelope(About) },
  problems: [],
} as const satisfies Operation;

export const readMetrics = {
  method: 'GET',
  path: '/metrics',
  tag: 'service',
  summary: 'Read the metrics in the Prometheus text format',
  description:
    'Needs the metrics token as bearer token. Where the server has none it is served on a port of its own, or not at all.',
  auth: open,
  unlimited: true,
  success: { status: 200, body: Page, contentType: 'text/plain; version=0.0.4; charset=utf-8' },
  problems: ['unauthenticated', 'not-found'],
} as const satisfies Operation;
