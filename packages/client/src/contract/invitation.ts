import { Email, HttpUrl, Id, IdOrNull, NewPassword, Text, Timestamp } from './field.js';
import { RoleName } from './member.js';
import type { Operation } from './operation.js';
import { TEAM } from './path.js';
import { envelope, list, record } from './record.js';
import type { FromSchema } from './schema.js';
import { User } from './session.js';

export const Invitation = record({
  title: 'Invitation',
  description: 'A one-time link for a new person. Token and address are answered this once only.',
  properties: {
    id: Id,
    token: { ...Text, description: 'What `POST /api/invitations/accept` takes.' },
    url: { ...HttpUrl, description: 'The page where the person accepts.' },
    team_id: { ...IdOrNull, description: 'The team the person joins; null: none.' },
    role: { ...RoleName, type: ['string', 'null'], enum: ['viewer', 'member', 'owner', null] },
    expires_at: Timestamp,
  },
});
export type Invitation = FromSchema<typeof Invitation>;

export const createInvitation = {
  method: 'POST',
  path: '/api/invitations',
  tag: 'session',
  summary: 'Invite a new person',
  description: 'Into a team: its owners may. Without a team: administrators may.',
  auth: { kind: 'session' },
  body: record({
    title: 'InvitationRequest',
    properties: {
      team_id: { ...Id, description: 'The team to join; without it the person gets an account only.' },
      role: { ...RoleName, description: 'Role in the team; `member` unless said. Only with `team_id`.' },
      expires_at: { ...Timestamp, description: 'At most 30 days ahead; 7 days unless said.' },
    },
    optional: ['team_id', 'role', 'expires_at'],
    examples: [{ team_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e', role: 'member' }],
  }),
  success: { status: 201, body: envelope(Invitation) },
  problems: ['forbidden', 'not-found'],
} as const satisfies Operation;

export const PendingInvitation = record({
  title: 'PendingInvitation',
  description: 'An invitation into a team that can still be accepted. It dies when its maker stops being owner.',
  properties: { id: Id, role: RoleName, created_by: Text, created_at: Timestamp, expires_at: Timestamp },
});
export type PendingInvitation = FromSchema<typeof PendingInvitation>;

export const listInvitations = {
  method: 'GET',
  path: `${TEAM}/invitations`,
  tag: 'teams',
  summary: 'List the invitations into a team that can still be accepted',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: list(PendingInvitation) },
  problems: [],
} as const satisfies Operation;

export const revokeInvitation = {
  method: 'DELETE',
  path: `${TEAM}/invitations/{invitation_id}`,
  tag: 'teams',
  summary: 'Revoke an invitation into a team',
  description: 'Its link works no more.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

export const acceptInvitation = {
  method: 'POST',
  path: '/api/invitations/accept',
  tag: 'session',
  summary: 'Accept an invitation',
  description: 'Creates the account, joins the team and starts a session (cookie).',
  auth: { kind: 'open' },
  body: record({
    title: 'InvitationAcceptance',
    properties: { token: Text, email: Email, name: Text, password: NewPassword },
    examples: [{ token: 'b64url-token', email: 'grace@acme.dev', name: 'Grace', password: 'a long enough phrase' }],
  }),
  startsSession: true,
  success: { status: 201, body: envelope(record({ properties: { user: User } })) },
  problems: ['invitation-unusable', 'email-taken'],
} as const satisfies Operation;
