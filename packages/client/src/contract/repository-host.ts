import { HttpUrl, Id, Text } from './field.js';
import type { Operation } from './operation.js';
import { HOST_HOOKS, HOST_SETTINGS } from './path.js';
import { BATCH_BYTES } from './pipeline-report.js';
import { Nothing } from './release.js';
import { envelope, type FromSchema, pageOf, pageQuery, record, type Schema } from './schema.js';

const Account = { ...Text, description: 'The connected account.' } as const satisfies Schema;

const MayWrite = {
  type: ['boolean', 'null'],
  description:
    'Whether its grant would also let its holder write, which this service never does; null: the host does not say. Narrower ' +
    'is a token of the person for chosen repositories that may only read.',
} as const satisfies Schema;

export const HostConnection = record({
  title: 'HostConnection',
  description: "The caller's connection to the repository host.",
  properties: {
    configured: { type: 'boolean', description: 'false: the server is not set up to connect the repository host.' },
    connected: { type: 'boolean', description: "false: the caller's account is not connected." },
    account: Account,
    may_write: { ...MayWrite, description: `${MayWrite.description} Answered only when a token is connected.` },
  },
  optional: ['account', 'may_write'],
  examples: [{ configured: true, connected: false }],
});
export type HostConnection = FromSchema<typeof HostConnection>;

const HostCheck = record({
  title: 'HostCheck',
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'rejected'],
      description: '`rejected`: approve access again in the application.',
    },
    may_write: MayWrite,
  },
  examples: [{ status: 'ok', may_write: false }],
});

export const HostRepository = record({
  title: 'HostRepository',
  description: 'A repository the connected account can read.',
  properties: {
    id: { ...Text, description: 'Stays when the repository is renamed.' },
    path: { type: 'string', description: 'Owner and name.', examples: ['acme/shop'] },
    url: HttpUrl,
    private: { type: 'boolean' },
    archived: { type: 'boolean' },
  },
});
export type HostRepository = FromSchema<typeof HostRepository>;

const HostRepositories = record({
  ...pageOf(HostRepository),
  title: 'HostRepositories',
  properties: {
    ...pageOf(HostRepository).properties,
    account: Account,
    empty_reason: {
      type: ['string', 'null'],
      enum: ['none_readable', 'no_match', null],
      description: 'Why there is no row: the account can read none, or none matches the search; null: there are rows.',
    },
    message: { type: 'string', description: 'The same for people, with what they can do.' },
  },
  optional: ['message'],
});

const read = { kind: 'key', scope: 'read' } as const;
const manage = { kind: 'session' } as const;

export const readHostConnection = {
  method: 'GET',
  path: HOST_SETTINGS,
  tag: 'settings',
  group: 'host',
  summary: 'Read the connection to the repository host',
  auth: read,
  success: { status: 200, body: HostConnection },
  problems: [],
} as const satisfies Operation;

export const checkHostConnection = {
  method: 'GET',
  path: `${HOST_SETTINGS}/check`,
  tag: 'settings',
  group: 'host',
  summary: 'Check that the stored connection still works',
  description: '`rejected` only when the host itself refused it; that the host cannot be asked now is 503.',
  auth: read,
  success: { status: 200, body: HostCheck },
  problems: ['host-not-configured', 'host-not-connected', 'host-unavailable'],
} as const satisfies Operation;

export const connectHost = {
  method: 'POST',
  path: `${HOST_SETTINGS}/connect`,
  tag: 'settings',
  group: 'host',
  summary: 'Begin to connect an account at the repository host',
  description: 'Answers the page of the host on which the person approves read access; it comes back to the callback.',
  auth: manage,
  body: Nothing,
  bodyMode: 'optional',
  success: { status: 200, body: envelope(record({ title: 'Approval', properties: { url: HttpUrl } })) },
  problems: ['host-not-configured'],
} as const satisfies Operation;

const HostToken = record({
  title: 'HostToken',
  description: 'A token that the person made at the repository host.',
  properties: {
    token: {
      type: 'string',
      minLength: 10,
      maxLength: 500,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Visible ASCII characters. Kept sealed; never answered again.',
    },
  },
  examples: [{ token: 'github_pat_11AAAAAAA0aaaaaaaaaaaa' }],
});

export const connectHostByToken = {
  method: 'POST',
  path: `${HOST_SETTINGS}/token`,
  tag: 'settings',
  group: 'host',
  summary: 'Connect an account at the repository host by a token of its own',
  description:
    'The narrower way: a token for chosen repositories that may only read, such as a fine-grained token of GitHub or a project or group access token of GitLab. The host is asked whose it is first. It is never renewed, and only its maker can end it at the host.',
  auth: manage,
  body: HostToken,
  success: { status: 200, body: HostConnection },
  problems: ['host-not-configured', 'host-rejected', 'host-unavailable'],
} as const satisfies Operation;

const word = { type: 'string', format: 'characters', minLength: 1, maxLength: 2000 } as const satisfies Schema;

export const finishHostConnection = {
  method: 'GET',
  path: `${HOST_SETTINGS}/callback`,
  tag: 'settings',
  group: 'host',
  summary: 'Come back from the repository host',
  description: 'Where the host sends the person to; only in the session that began, once. Answers a page.',
  auth: manage,
  query: {
    ...record({
      properties: {
        state: { ...word, description: 'As it was given to the host.' },
        code: { ...word, description: "Proves the person's approval." },
        error: { ...word, description: 'Why there is no approval; `access_denied`: the person refused.' },
        error_description: { ...word, description: 'Not read: a stranger may have written it.' },
      },
      optional: ['state', 'code', 'error', 'error_description'],
    }),
    // The host writes this query, and may add to it.
    additionalProperties: true,
  },
  success: { status: 200, body: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
  problems: ['approval-unusable', 'host-not-configured', 'host-rejected', 'host-unavailable'],
} as const satisfies Operation;

export const disconnectHost = {
  method: 'DELETE',
  path: HOST_SETTINGS,
  tag: 'settings',
  group: 'host',
  summary: 'Disconnect the account at the repository host',
  description:
    'The stored approval is ended at the host too. What was imported stays; the imports of linked projects stop.',
  auth: manage,
  success: { status: 204, body: null },
  problems: ['host-not-configured'],
} as const satisfies Operation;

export const listRepositories = {
  method: 'GET',
  path: `${HOST_SETTINGS}/repositories`,
  tag: 'settings',
  group: 'host',
  summary: 'List the repositories the connected account can read',
  auth: manage,
  query: record({
    properties: {
      search: { ...Text, description: 'Part of the path.' },
      limit: { ...pageQuery.limit, maximum: 100 },
      cursor: pageQuery.cursor,
    },
    optional: ['search', 'limit', 'cursor'],
  }),
  success: { status: 200, body: HostRepositories },
  problems: ['host-not-configured', 'host-not-connected', 'host-rejected', 'host-unavailable'],
} as const satisfies Operation;

const HookReceipt = record({
  title: 'HookReceipt',
  properties: {
    accepted: { type: 'boolean', description: 'Whether a linked repository is read again because of it.' },
    repeated: { type: 'boolean', description: 'Whether this delivery was received before; it then does nothing.' },
  },
  examples: [{ accepted: true, repeated: false }],
});

export const receiveHook = {
  method: 'POST',
  path: HOST_HOOKS,
  tag: 'repository',
  group: 'host',
  summary: 'Receive what the repository host sends',
  description:
    'Only says that something changed: what, is read from the host itself, 10 seconds after it was read last at the earliest. A delivery without `project_id` is refused with `wrong-signature`.',
  auth: { kind: 'signature' },
  query: record({
    properties: { project_id: { ...Id, description: 'The project whose link it is for; its secret signs.' } },
    optional: ['project_id'],
  }),
  body: {
    title: 'HookDelivery',
    description: 'In the form of the host.',
    type: 'object',
    additionalProperties: true,
    examples: [{ action: 'edited', repository: { id: 1296269 } }],
  },
  bodyMode: 'raw',
  bodyLimit: BATCH_BYTES,
  success: { status: 200, body: envelope(HookReceipt) },
  problems: ['wrong-signature', 'host-not-configured'],
} as const satisfies Operation;
