import { Email, EmailVerified, Id, MixedScripts, Text, Timestamp, TimestampOrNull, Version } from './field.js';
import { CSV_LIST, CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { TEAM } from './path.js';
import {
  envelope,
  type FromSchema,
  list,
  pageOf,
  pageQuery,
  record,
  type Schema,
  timeOrder,
  wordsIn,
} from './schema.js';

const ReleaseName = record({
  title: 'ReleaseName',
  description: 'A release by id and name.',
  properties: { id: Id, name: Text },
});

export const ActiveRelease = {
  oneOf: [ReleaseName, { type: 'null' }],
  description: 'The release being worked on; null: none.',
} as const satisfies Schema;

export const Slug = {
  ...Text,
  description: 'For addresses of the browser only; never an identifier of this interface.',
} as const satisfies Schema;

export const ArchivedAt = {
  ...TimestampOrNull,
  description:
    'Since when it is archived: it is left out of the portfolio, and everything else goes on. null: it is not.',
} as const satisfies Schema;

export const IsDemo = {
  type: 'boolean',
  description: 'Whether it is the demo: made up for looking around, and removed as a whole by `DELETE /api/demo`.',
} as const satisfies Schema;

export const Team = record({
  title: 'Team',
  description: 'The people who ship together, with their projects by name.',
  properties: {
    id: Id,
    name: Text,
    slug: Slug,
    version: Version,
    created_at: Timestamp,
    archived_at: ArchivedAt,
    demo: IsDemo,
    projects: {
      type: 'array',
      items: record({
        title: 'TeamProject',
        description: 'A project as the team list shows it.',
        properties: { id: Id, name: Text, slug: Slug, archived_at: ArchivedAt, active_release: ActiveRelease },
      }),
    },
  },
  examples: [
    {
      id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e',
      name: 'Payments',
      slug: 'payments',
      version: 1,
      created_at: '2026-11-20T09:30:00.000Z',
      archived_at: null,
      demo: false,
      projects: [
        {
          id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f',
          name: 'checkout',
          slug: 'checkout',
          archived_at: null,
          active_release: null,
        },
      ],
    },
  ],
});
export type Team = FromSchema<typeof Team>;

const TeamRequest = record({ title: 'TeamRequest', properties: { name: Text }, examples: [{ name: 'Payments' }] });

export const listTeams = {
  method: 'GET',
  path: '/api/teams',
  tag: 'teams',
  summary: 'List the teams in sight with their projects',
  description: 'All teams the session sees, or those at the home of the key, by name; never paged.',
  auth: { kind: 'key', scope: 'read' },
  success: { status: 200, body: list(Team) },
  problems: [],
} as const satisfies Operation;

export const createTeam = {
  method: 'POST',
  path: '/api/teams',
  tag: 'teams',
  summary: 'Create a team',
  description:
    'Its creator owns it. A person who is in 200 teams is refused (422 with the code `too-many` at `/name`).',
  auth: { kind: 'session' },
  body: TeamRequest,
  idempotent: true,
  success: { status: 201, body: envelope(Team) },
  problems: [],
} as const satisfies Operation;

export const renameTeam = {
  method: 'PATCH',
  path: TEAM,
  tag: 'teams',
  summary: 'Rename a team',
  auth: { kind: 'session', role: 'owner' },
  ifMatch: 'optional',
  body: TeamRequest,
  success: { status: 200, body: envelope(Team) },
  problems: [],
} as const satisfies Operation;

export const archiveTeam = {
  method: 'POST',
  path: `${TEAM}/archive`,
  tag: 'teams',
  summary: 'Archive a team',
  description: 'Its projects are left out of the portfolio. Nothing else changes: reports count, and gates answer.',
  auth: { kind: 'session', role: 'owner' },
  repeatable: true,
  success: { status: 200, body: envelope(Team) },
  problems: [],
} as const satisfies Operation;

export const restoreTeam = {
  method: 'POST',
  path: `${TEAM}/restore`,
  tag: 'teams',
  summary: 'Restore an archived team',
  auth: { kind: 'session', role: 'owner' },
  repeatable: true,
  success: { status: 200, body: envelope(Team) },
  problems: [],
} as const satisfies Operation;

export const removeDemo = {
  method: 'DELETE',
  path: '/api/demo',
  tag: 'teams',
  summary: 'Remove the demo',
  description:
    'The team made up for looking around goes with everything in it, for everybody and for good; no other team can be ' +
    'removed by this. Needs the role owner in it. `not-found` where there is no demo in sight.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 204, body: null },
  problems: ['not-found'],
} as const satisfies Operation;

export const RoleName = {
  type: 'string',
  enum: ['viewer', 'member', 'owner'],
  description: 'What the person may do in the team, weakest first: read; record and manage releases; decide.',
} as const satisfies Schema;

export const Member = record({
  title: 'Member',
  description: 'A person with a role in a team.',
  properties: {
    user_id: Id,
    name: Text,
    email: Email,
    email_verified: EmailVerified,
    mixed_scripts: MixedScripts,
    role: RoleName,
    disabled: { type: 'boolean', description: 'Whether an administrator disabled the account.' },
  },
});
export type Member = FromSchema<typeof Member>;

const memberQuery = {
  q: wordsIn('the name and the address'),
} as const satisfies Readonly<Record<string, Schema>>;

export const listMembers = {
  method: 'GET',
  path: `${TEAM}/members`,
  tag: 'teams',
  summary: 'List the members of a team',
  auth: { kind: 'session', role: 'viewer' },
  query: record({ properties: memberQuery, optional: ['q'] }),
  success: { status: 200, body: list(Member) },
  problems: [],
} as const satisfies Operation;

export const exportMembers = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${TEAM}/members.csv`,
  tag: 'teams',
  summary: 'Export the members of a team as CSV',
  auth: { kind: 'session', role: 'viewer' },
  query: record({ properties: memberQuery, optional: ['q'] }),
} as const satisfies Operation;

export const changeMemberRole = {
  method: 'PATCH',
  path: `${TEAM}/members/{user_id}`,
  tag: 'teams',
  summary: "Change a member's role",
  auth: { kind: 'session', role: 'owner' },
  body: record({ title: 'MemberChange', properties: { role: RoleName }, examples: [{ role: 'owner' }] }),
  success: { status: 200, body: envelope(Member) },
  problems: ['last-owner'],
} as const satisfies Operation;

export const removeMember = {
  method: 'DELETE',
  path: `${TEAM}/members/{user_id}`,
  tag: 'teams',
  summary: 'Remove a member from a team',
  description: 'Everybody may leave; removing others needs the role owner.',
  auth: { kind: 'session', role: 'viewer' },
  success: { status: 204, body: null },
  problems: ['forbidden', 'last-owner'],
} as const satisfies Operation;

export const AuditEntry = record({
  title: 'AuditEntry',
  description: 'Who did what to which resource, from where. Never holds a secret.',
  properties: {
    id: Id,
    at: Timestamp,
    actor: record({
      properties: {
        user_id: { ...Id, type: ['string', 'null'], description: 'null: no user.' },
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
    address: { type: 'string', description: 'Network address of the caller; empty where there was no caller.' },
    request_id: { type: 'string' },
    detail: { type: 'object', additionalProperties: true, description: 'What changed.' },
  },
});
export type AuditEntry = FromSchema<typeof AuditEntry>;

const auditQuery = {
  user_id: { ...Id, description: 'What this person did, by API keys too.' },
  action: {
    ...Text,
    maxLength: 100,
    description: 'The action, such as `release.ship`, or its noun, `release`, for all that was done to releases.',
  },
  at_from: { ...Timestamp, description: 'Done then or later.' },
  at_to: { ...Timestamp, description: 'Done before then.' },
  ...timeOrder,
} as const satisfies Readonly<Record<string, Schema>>;

const AUDIT_MEMBERS = ['user_id', 'action', 'at_from', 'at_to', 'order'] as const;

export const listAuditEntries = {
  method: 'GET',
  path: `${TEAM}/audit`,
  tag: 'teams',
  group: 'audit',
  summary: "List a team's audit log, newest first",
  description: 'A page of long entries has fewer rows than `limit`; `next_cursor` leads to the others.',
  auth: { kind: 'session', role: 'owner' },
  query: record({ properties: { ...pageQuery, ...auditQuery }, optional: ['limit', 'cursor', ...AUDIT_MEMBERS] }),
  success: { status: 200, body: pageOf(AuditEntry) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportAuditEntries = {
  ...CSV_LIST,
  path: `${TEAM}/audit.csv`,
  tag: 'teams',
  group: 'audit',
  summary: "Export a team's audit log as CSV, newest first",
  auth: { kind: 'session', role: 'owner' },
  query: record({ properties: auditQuery, optional: [...AUDIT_MEMBERS] }),
} as const satisfies Operation;
