import { Count, HttpUrl, IdOrNull, MAX_INTEGER, Text, Timestamp, TimestampOrNull } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT, REPOSITORY } from './path.js';
import { Nothing } from './release.js';
import { envelope, type FromSchema, PageQuery, pageOf, record, type Schema } from './schema.js';

const MOST_WORDS = 50;
const MOST_MILESTONES = 100;

const Words = { type: 'array', items: Text, maxItems: MOST_WORDS } as const satisfies Schema;

const filterParts = {
  labels: { ...Words, description: 'At least one of them, in any case; empty: any labels.' },
  path_prefix: {
    ...Text,
    type: ['string', 'null'],
    description: 'A path the title or a label of the issue names, or one below it; null: any path.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const mappingParts = {
  bug: { ...Words, description: "The host's types and labels that make an issue a bug; empty: the usual ones." },
  feature: Words,
  chore: Words,
  in_progress: { ...Words, description: 'Labels of open issues that are being worked on.' },
  critical: { ...Words, description: 'Labels that say how bad a bug is.' },
  major: Words,
  minor: Words,
} as const satisfies Readonly<Record<string, Schema>>;

const Milestones = {
  description: 'Which milestones become releases: all open ones, none, or those of these numbers.',
  oneOf: [
    { type: 'string', enum: ['all', 'none'] },
    {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
      maxItems: MOST_MILESTONES,
      uniqueItems: true,
    },
  ],
} as const satisfies Schema;

const Deployments = { type: 'boolean', description: "Whether the host's deployments are imported." } as const;

const TestRuns = {
  type: 'string',
  enum: ['none', 'checks', 'workflows'],
  description: 'What at the host counts as test runs.',
} as const satisfies Schema;

/** The settings of a link in an answer, where none is left out. */
const linkSettings = {
  issue_filter: record({ title: 'IssueFilter', properties: filterParts }),
  mapping: record({ title: 'IssueMapping', properties: mappingParts }),
  milestones: Milestones,
  deployments: Deployments,
  test_runs: TestRuns,
} as const satisfies Readonly<Record<string, Schema>>;

export const RepositoryRequest = record({
  title: 'RepositoryRequest',
  description: 'Which repository, and what is imported from it.',
  properties: {
    repository: {
      type: 'string',
      pattern: '^[^\\s/]+(/[^\\s/]+)+$',
      minLength: 3,
      maxLength: 300,
      description: 'Owner and name, as in the list of readable repositories.',
    },
    issue_filter: record({
      description: 'Tells the issues of several projects of one repository apart; without it all are imported.',
      properties: filterParts,
      optional: ['labels', 'path_prefix'],
    }),
    mapping: record({
      description: 'What the types and labels of this repository mean, where the usual ones do not.',
      properties: mappingParts,
      optional: ['bug', 'feature', 'chore', 'in_progress', 'critical', 'major', 'minor'],
    }),
    milestones: { ...Milestones, description: `${Milestones.description} \`none\` unless given.` },
    deployments: { ...Deployments, description: `${Deployments.description} false unless given.` },
    test_runs: { ...TestRuns, description: `${TestRuns.description} \`none\` unless given.` },
  },
  optional: ['issue_filter', 'mapping', 'milestones', 'deployments', 'test_runs'],
  examples: [{ repository: 'acme/shop', issue_filter: { path_prefix: 'packages/pay' }, milestones: [12] }],
});
export type RepositoryRequest = FromSchema<typeof RepositoryRequest>;

const Failure = {
  ...record({
    description: 'Why the last attempt did not go through; null: it did.',
    properties: {
      code: { type: 'string', description: 'Stable code.' },
      message: { type: 'string', description: 'What happened, for people.' },
      at: Timestamp,
      attempts: { ...Count, description: 'How many in a row.' },
    },
  }),
  type: ['object', 'null'],
} as const;

const RepositoryImport = record({
  title: 'RepositoryImport',
  description: 'How far the import of a linked repository has come.',
  properties: {
    state: {
      type: 'string',
      enum: ['waiting', 'running', 'idle', 'failing', 'stopped'],
      description:
        '`waiting`: due, and read next at `next_at`; `idle`: up to date until `next_at`; `failing`: the last attempt did not go through, it is tried again; `stopped`: the connection it reads with is not there or was refused.',
    },
    message: {
      type: ['string', 'null'],
      description:
        'What a person has to do, while it is `stopped`; until when and why it waits, while the host or what is left of its budget keeps it from going on.',
    },
    stage: {
      type: ['string', 'null'],
      enum: ['milestones', 'issues', 'gone', 'deployments', 'open_deployments', 'test_runs', null],
      description: 'What is being read; null between runs.',
    },
    started_at: { ...TimestampOrNull, description: 'When the run under way began.' },
    completed_at: { ...TimestampOrNull, description: 'What is imported is as of then; null: never completed yet.' },
    next_at: { ...Timestamp, description: 'When it is read next: when it is due and the host allows it.' },
    counts: record({
      description: 'Rows read by the run under way, or by the last one.',
      properties: { milestones: Count, issues: Count, deployments: Count, test_runs: Count },
    }),
    failure: Failure,
  },
});

export const RepositoryLink = record({
  title: 'RepositoryLink',
  description: 'The repository a project is linked to, what is imported from it, and how far that has come.',
  properties: {
    repository: record({
      properties: {
        id: { ...Text, description: 'Stays when the repository is renamed.' },
        path: { type: 'string', description: 'Owner and name.' },
        url: HttpUrl,
        default_branch: { type: 'string' },
      },
    }),
    host: { type: 'string', description: 'Name of the repository host.' },
    ...linkSettings,
    linked_at: Timestamp,
    linked_by: { ...Text, description: 'Whose connection it is read with.' },
    import: RepositoryImport,
  },
});
export type RepositoryLink = FromSchema<typeof RepositoryLink>;

export const Milestone = record({
  title: 'Milestone',
  description: 'A milestone of the linked repository.',
  properties: {
    id: Text,
    number: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
    title: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    due_at: TimestampOrNull,
    url: HttpUrl,
    release_id: { ...IdOrNull, description: 'The release it became; null: none.' },
  },
});
export type Milestone = FromSchema<typeof Milestone>;

const success = { status: 200, body: envelope(RepositoryLink) } as const;
const own = { kind: 'session', role: 'owner' } as const;
const take = { kind: 'session', role: 'member' } as const;
const unreadable = ['host-not-configured', 'host-not-connected', 'host-rejected', 'host-unavailable'] as const;

export const readRepositoryLink = {
  method: 'GET',
  path: REPOSITORY,
  tag: 'repository',
  group: 'host',
  summary: 'Read which repository a project is linked to',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success,
  problems: [],
} as const satisfies Operation;

export const linkRepository = {
  method: 'PUT',
  path: REPOSITORY,
  tag: 'repository',
  group: 'host',
  summary: 'Link a project to a repository',
  description:
    'In place of the one it was linked to. It is read with the connection of the person who links it, and never written to. Several projects may share a repository.',
  auth: own,
  body: RepositoryRequest,
  repeatable: true,
  success,
  problems: unreadable,
} as const satisfies Operation;

export const unlinkRepository = {
  method: 'DELETE',
  path: REPOSITORY,
  tag: 'repository',
  group: 'host',
  summary: 'Unlink the repository of a project',
  description: 'What was imported stays, and may be changed here from then on.',
  auth: own,
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

export const listMilestones = {
  method: 'GET',
  path: `${REPOSITORY}/milestones`,
  tag: 'repository',
  group: 'host',
  summary: 'List the milestones of the linked repository',
  auth: take,
  query: PageQuery,
  success: { status: 200, body: pageOf(Milestone) },
  problems: unreadable,
} as const satisfies Operation;

export const readRepositoryWebhook = {
  method: 'GET',
  path: `${REPOSITORY}/webhook`,
  tag: 'repository',
  group: 'host',
  summary: 'Read what to enter as webhook in the settings of the repository',
  description: 'With it the host reports changes at once; without it the service finds them by asking.',
  auth: own,
  success: {
    status: 200,
    body: envelope(
      record({
        title: 'RepositoryWebhook',
        properties: {
          url: HttpUrl,
          secret: { type: 'string', description: 'What the host signs its deliveries with.' },
          events: { type: 'array', items: Text, description: 'The events to choose.' },
          content_type: { type: 'string', const: 'application/json' },
        },
      }),
    ),
  },
  problems: ['host-not-configured'],
} as const satisfies Operation;

export const importIssues = {
  method: 'POST',
  path: `${PROJECT}/issues/import`,
  tag: 'repository',
  group: 'host',
  summary: 'Import from the linked repository now',
  description: 'Makes the import due, instead of at its next time.',
  auth: take,
  body: Nothing,
  bodyMode: 'optional',
  success,
  problems: ['host-not-configured', 'host-not-connected'],
} as const satisfies Operation;
