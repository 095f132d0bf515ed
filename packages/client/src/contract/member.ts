import { Email, EmailVerified, Id, MixedScripts, Text } from './field.js';
import type { Operation } from './operation.js';
import { TEAM } from './path.js';
import { envelope, list, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

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

export const listMembers = {
  method: 'GET',
  path: `${TEAM}/members`,
  tag: 'teams',
  summary: 'List the members of a team',
  auth: { kind: 'session', role: 'viewer' },
  success: { status: 200, body: list(Member) },
  problems: [],
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
