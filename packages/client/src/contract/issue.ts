import { HostIdOrNull, HttpUrl, HttpUrlOrNull, Id, IdOrNull, Text, Timestamp, Version } from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT } from './path.js';
import { envelope, type FromSchema, pageOf, pageQuery, record, type Schema } from './schema.js';

const Type = { type: 'string', enum: ['feature', 'bug', 'task', 'chore'] } as const satisfies Schema;
const State = { type: 'string', enum: ['todo', 'in_progress', 'done', 'canceled'] } as const satisfies Schema;
const Severity = { type: 'string', enum: ['critical', 'major', 'minor'] } as const satisfies Schema;
const SeverityOrNull = {
  type: ['string', 'null'],
  enum: ['critical', 'major', 'minor', null],
  description: 'How bad the bug is; null: not said, which is not critical.',
} as const satisfies Schema;

export const Issue = record({
  title: 'Issue',
  description: 'A piece of work; counts in scope, and in quality too when it is a bug.',
  properties: {
    id: Id,
    project_id: Id,
    release_id: { ...IdOrNull, description: 'The release it belongs to; null: none.' },
    title: Text,
    type: Type,
    state: State,
    severity: SeverityOrNull,
    url: HttpUrlOrNull,
    external_id: HostIdOrNull,
    version: Version,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
});
export type Issue = FromSchema<typeof Issue>;

const read = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const manage = { kind: 'session', role: 'member' } as const;

const listQuery = {
  q: {
    ...Text,
    maxLength: 100,
    description:
      'Every word of it is in the title, in any case; or it is the number of the issue at its host (`42` or `#42`).',
  },
  release_id: Id,
  state: State,
  type: Type,
  severity: Severity,
  sort: {
    type: 'string',
    enum: ['open', 'created', 'updated'],
    description:
      'Open ones (`todo`, `in_progress`) before the others (unless said), by when they were created, or by when they were last changed; equal ones by when they were created. Newest first.',
  },
  order: { type: 'string', enum: ['asc', 'desc'], description: '`asc` turns `sort` round. Only with `sort`.' },
} as const satisfies Readonly<Record<string, Schema>>;

const LIST_MEMBERS = ['q', 'release_id', 'state', 'type', 'severity', 'sort', 'order'] as const;

export const listIssues = {
  method: 'GET',
  path: `${PROJECT}/issues`,
  tag: 'issues',
  summary: 'List the issues of a project, open ones first, then newest first',
  auth: read,
  query: record({ properties: { ...pageQuery, ...listQuery }, optional: ['limit', 'cursor', ...LIST_MEMBERS] }),
  success: { status: 200, body: pageOf(Issue) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportIssues = {
  ...CSV_LIST,
  path: `${PROJECT}/issues.csv`,
  tag: 'issues',
  summary: 'Export the issues of a project as CSV',
  query: record({ properties: listQuery, optional: [...LIST_MEMBERS] }),
} as const satisfies Operation;

export const createIssue = {
  method: 'POST',
  path: `${PROJECT}/issues`,
  tag: 'issues',
  summary: 'Create an issue',
  auth: manage,
  body: record({
    title: 'IssueRequest',
    properties: { title: Text, type: Type, state: State, release_id: Id, severity: Severity, url: HttpUrl },
    optional: ['release_id', 'severity', 'url'],
    examples: [{ title: 'Refund fails for split payments', type: 'bug', state: 'todo', severity: 'critical' }],
  }),
  idempotent: true,
  success: { status: 201, body: envelope(Issue) },
  location: `${PROJECT}/issues/{id}`,
  problems: ['release-closed'],
} as const satisfies Operation;

export const readIssue = {
  method: 'GET',
  path: `${PROJECT}/issues/{issue_id}`,
  tag: 'issues',
  summary: 'Read an issue',
  auth: read,
  success: { status: 200, body: envelope(Issue) },
  problems: [],
} as const satisfies Operation;

export const changeIssue = {
  method: 'PATCH',
  path: `${PROJECT}/issues/{issue_id}`,
  tag: 'issues',
  summary: 'Change an issue',
  auth: manage,
  ifMatch: 'optional',
  body: record({
    title: 'IssueChange',
    description: 'What to change; what is missing stays.',
    properties: {
      title: Text,
      type: Type,
      state: State,
      release_id: IdOrNull,
      severity: SeverityOrNull,
      url: HttpUrlOrNull,
    },
    optional: ['title', 'type', 'state', 'release_id', 'severity', 'url'],
    minProperties: 1,
    examples: [{ state: 'done' }],
  }),
  success: { status: 200, body: envelope(Issue) },
  problems: ['release-closed', 'kept-by-host'],
} as const satisfies Operation;
