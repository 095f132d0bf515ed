import { ScopeName } from './api-key.js';
import {
  Email,
  EmailOrNull,
  EmailVerified,
  HttpUrl,
  Id,
  IdOrNull,
  MixedScripts,
  Named,
  NewPassword,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
} from './field.js';
import { CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { TEAM } from './path.js';
import { envelope, type FromSchema, list, record, type Schema } from './schema.js';
import { RoleName, Slug } from './team.js';

export const User = record({
  title: 'User',
  description: 'A person with an account.',
  properties: {
    id: Id,
    email: Email,
    email_verified: EmailVerified,
    name: Text,
    administrator: { type: 'boolean', description: 'May invite people without a team; sees no team by that alone.' },
    created_at: Timestamp,
  },
});
export type User = FromSchema<typeof User>;

const signedIn = envelope(record({ properties: { user: User } }));
const Password = { type: 'string', format: 'characters', minLength: 1, maxLength: 200 } as const;

export const setUp = {
  method: 'POST',
  path: '/api/setup',
  tag: 'session',
  summary: 'Create the first administrator',
  description: 'Works once, with the setup token the server printed when it first started. Starts a session (cookie).',
  auth: { kind: 'open' },
  body: record({
    title: 'SetupRequest',
    properties: {
      setup_token: { ...Text, description: 'As printed at the first start.' },
      email: Email,
      name: Text,
      password: NewPassword,
    },
    examples: [{ setup_token: 'k3J9-QpX2', email: 'ada@acme.dev', name: 'Ada', password: 'a long enough phrase' }],
  }),
  startsSession: true,
  success: { status: 201, body: signedIn },
  problems: ['wrong-setup-token', 'already-set-up'],
} as const satisfies Operation;

export const signIn = {
  method: 'POST',
  path: '/api/session',
  tag: 'session',
  summary: 'Sign in',
  description: 'Starts a session (cookie) that ends after 8 idle hours, and after 7 days in any case.',
  auth: { kind: 'open' },
  body: record({
    title: 'SignInRequest',
    properties: { email: Email, password: Password },
    examples: [{ email: 'ada@acme.dev', password: 'a long enough phrase' }],
  }),
  startsSession: true,
  success: { status: 200, body: signedIn },
  problems: ['wrong-credentials'],
} as const satisfies Operation;

export const readSession = {
  method: 'GET',
  path: '/api/session',
  tag: 'session',
  summary: 'Read who is signed in',
  auth: { kind: 'session' },
  success: { status: 200, body: signedIn },
  problems: [],
} as const satisfies Operation;

export const signOut = {
  method: 'DELETE',
  path: '/api/session',
  tag: 'session',
  summary: 'Sign out',
  auth: { kind: 'session' },
  endsSession: true,
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

export const changePassword = {
  method: 'PUT',
  path: '/api/session/password',
  tag: 'session',
  summary: 'Change the own password',
  description: 'Ends all other sessions of the person.',
  auth: { kind: 'session' },
  body: record({
    title: 'PasswordChange',
    properties: { current_password: Password, new_password: NewPassword },
    examples: [{ current_password: 'a long enough phrase', new_password: 'another long phrase' }],
  }),
  success: { status: 204, body: null },
  problems: ['wrong-credentials'],
} as const satisfies Operation;

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

const RoleOrNull = {
  ...RoleName,
  type: ['string', 'null'],
  enum: ['viewer', 'member', 'owner', null],
} as const satisfies Schema;
const BoundTo = {
  ...EmailOrNull,
  description: 'Only an account with this address accepts it; null: anyone who has the link.',
} as const satisfies Schema;

const MarkedNames = {
  ...MixedScripts,
  description:
    'Whether the name of the team or of who invites, or the address, has letters of two scripts that look alike: it may be made ' +
    'to be taken for another one.',
} as const;

export const Invitation = record({
  title: 'Invitation',
  description: 'A one-time link for a person. Token and address are answered this once only.',
  properties: {
    id: Id,
    token: { ...Text, description: 'What `POST /api/invitations/accept` and `POST /api/invitations/join` take.' },
    url: { ...HttpUrl, description: 'The page where the person accepts.' },
    team_id: { ...IdOrNull, description: 'The team the person joins; null: none.' },
    role: RoleOrNull,
    email: BoundTo,
    mixed_scripts: MixedScripts,
    expires_at: Timestamp,
  },
});
export type Invitation = FromSchema<typeof Invitation>;

export const createInvitation = {
  method: 'POST',
  path: '/api/invitations',
  tag: 'session',
  group: 'invitations',
  summary: 'Invite a person',
  description:
    'Into a team: its owners may. Without a team: administrators may. With `email`, only an account of that address accepts ' +
    'it, and an earlier one for that address is replaced; the answer is the same whether there is such an account. A team has ' +
    '500 open invitations at most; more are refused (422 with the code `too-many`).',
  auth: { kind: 'session' },
  body: record({
    title: 'InvitationRequest',
    properties: {
      team_id: { ...Id, description: 'The team to join; without it the person gets an account only.' },
      role: { ...RoleName, description: 'Role in the team; `member` unless said. Only with `team_id`.' },
      email: { ...Email, description: 'Binds it to this address.' },
      expires_at: { ...Timestamp, description: 'At most 30 days ahead; 7 days unless said.' },
    },
    optional: ['team_id', 'role', 'email', 'expires_at'],
    examples: [{ team_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e', role: 'member' }],
  }),
  success: { status: 201, body: envelope(Invitation) },
  problems: ['forbidden', 'not-found', 'already-member'],
} as const satisfies Operation;

export const addMember = {
  method: 'POST',
  path: `${TEAM}/members`,
  tag: 'teams',
  summary: 'Invite an address into a team',
  description:
    'The person is a member once they accept: signed in with an account whose address is verified they find the invitation ' +
    'in `GET /api/invitations`; everybody else with this address needs the link. The answer is the same whether there is ' +
    'such an account. An earlier invitation of the address into the team is replaced. A team has 500 open invitations at most; ' +
    'more are refused (422 with the code `too-many`).',
  auth: { kind: 'session', role: 'owner' },
  body: record({
    title: 'MemberRequest',
    properties: { email: Email, role: RoleName },
    examples: [{ email: 'grace@acme.dev', role: 'member' }],
  }),
  success: { status: 201, body: envelope(Invitation) },
  problems: ['already-member'],
} as const satisfies Operation;

export const PendingInvitation = record({
  title: 'PendingInvitation',
  description: 'An invitation into a team that can still be accepted. It dies when its maker stops being owner.',
  properties: {
    id: Id,
    role: RoleName,
    email: BoundTo,
    mixed_scripts: MixedScripts,
    created_by: Text,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
});
export type PendingInvitation = FromSchema<typeof PendingInvitation>;

export const listInvitations = {
  method: 'GET',
  path: `${TEAM}/invitations`,
  tag: 'teams',
  group: 'invitations',
  summary: 'List the invitations into a team that can still be accepted',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 200, body: list(PendingInvitation) },
  problems: [],
} as const satisfies Operation;

export const exportInvitations = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${TEAM}/invitations.csv`,
  tag: 'teams',
  group: 'invitations',
  summary: 'Export the invitations into a team that can still be accepted as CSV',
  auth: { kind: 'session', role: 'owner' },
} as const satisfies Operation;

export const revokeInvitation = {
  method: 'DELETE',
  path: `${TEAM}/invitations/{invitation_id}`,
  tag: 'teams',
  group: 'invitations',
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
  group: 'invitations',
  summary: 'Accept an invitation',
  description:
    'Creates the account, joins the team and starts a session (cookie). Refused tries are limited like those to sign in. ' +
    '`email-taken` only where the invitation is bound to that address: any other link says `invitation-unusable`.',
  auth: { kind: 'open' },
  body: record({
    title: 'InvitationAcceptance',
    properties: { token: Text, email: Email, name: Text, password: NewPassword },
    examples: [{ token: 'b64url-token', email: 'grace@acme.dev', name: 'Grace', password: 'a long enough phrase' }],
  }),
  startsSession: true,
  success: { status: 201, body: signedIn },
  problems: ['invitation-unusable', 'invitation-for-another-address', 'email-taken'],
} as const satisfies Operation;

const Token = record({
  title: 'InvitationToken',
  properties: { token: { ...Text, description: 'Of the link, behind its `#`.' } },
  examples: [{ token: 'b64url-token' }],
});

export const InvitationPurpose = record({
  title: 'InvitationPurpose',
  description: 'What an invitation is for. Of one that cannot be accepted any more only `state` says something.',
  properties: {
    state: { type: 'string', enum: ['open', 'used', 'revoked', 'expired'] },
    team: { ...TextOrNull, description: 'Name of the team; null: none.' },
    role: RoleOrNull,
    invited_by: { ...TextOrNull, description: 'Who made it, by name.' },
    email: BoundTo,
    mixed_scripts: MarkedNames,
    expires_at: TimestampOrNull,
  },
});
export type InvitationPurpose = FromSchema<typeof InvitationPurpose>;

export const readInvitation = {
  method: 'POST',
  path: '/api/invitations/read',
  tag: 'session',
  group: 'invitations',
  summary: 'Read what an invitation is for',
  description: 'Uses nothing up. Tries with unknown tokens are limited like those to sign in.',
  auth: { kind: 'open' },
  body: Token,
  repeatable: true,
  success: { status: 200, body: envelope(InvitationPurpose) },
  problems: ['invitation-unusable'],
} as const satisfies Operation;

export const JoinedTeam = record({
  title: 'JoinedTeam',
  description: 'The team the caller is a member of now.',
  properties: { team_id: Id, role: RoleName },
});
export type JoinedTeam = FromSchema<typeof JoinedTeam>;

const FULL = 'Who is in 200 teams is refused (422 with the code `too-many`).';

const JOINING = ['invitation-unusable', 'already-member'] as const;

export const joinTeam = {
  method: 'POST',
  path: '/api/invitations/join',
  tag: 'session',
  group: 'invitations',
  summary: 'Accept an invitation with the account that is signed in',
  description: FULL,
  auth: { kind: 'session' },
  body: Token,
  success: { status: 200, body: envelope(JoinedTeam) },
  problems: [...JOINING, 'invitation-for-another-address', 'not-found'],
} as const satisfies Operation;

export const ReceivedInvitation = record({
  title: 'ReceivedInvitation',
  description: 'An invitation into a team that is bound to the address of the caller.',
  properties: {
    id: Id,
    team: Named,
    role: RoleName,
    invited_by: Text,
    mixed_scripts: MarkedNames,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
});
export type ReceivedInvitation = FromSchema<typeof ReceivedInvitation>;

export const listReceivedInvitations = {
  method: 'GET',
  path: '/api/invitations',
  tag: 'session',
  summary: 'List the invitations for the own address',
  description: 'Empty as long as the address is not verified: a link is accepted by `POST /api/invitations/join` then.',
  auth: { kind: 'session' },
  success: { status: 200, body: list(ReceivedInvitation) },
  problems: ['not-found'],
} as const satisfies Operation;

export const acceptReceivedInvitation = {
  method: 'POST',
  path: '/api/invitations/{invitation_id}/accept',
  tag: 'session',
  group: 'invitations',
  summary: 'Accept an invitation for the own address',
  description: FULL,
  auth: { kind: 'session' },
  success: { status: 200, body: envelope(JoinedTeam) },
  problems: JOINING,
} as const satisfies Operation;

export const declineReceivedInvitation = {
  method: 'POST',
  path: '/api/invitations/{invitation_id}/decline',
  tag: 'session',
  group: 'invitations',
  summary: 'Decline an invitation for the own address',
  description: 'It cannot be accepted afterwards.',
  auth: { kind: 'session' },
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;
