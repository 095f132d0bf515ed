import { Email, EmailOrNull, EmailVerified, Id, MixedScripts, Text, Timestamp, TimestampOrNull } from './field.js';
import { CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { envelope, type FromSchema, list, pageOf, pageQuery, record, wordsIn } from './schema.js';
import { Member } from './team.js';

const PEOPLE = '/api/people';
const PERSON = `${PEOPLE}/{user_id}`;
const INVITATIONS = '/api/service-invitations';
const administrators = { kind: 'session', administrator: true } as const;

export const Person = record({
  title: 'Person',
  description: 'An account, as administrators see it.',
  properties: {
    id: Id,
    name: Text,
    email: Email,
    email_verified: EmailVerified,
    mixed_scripts: MixedScripts,
    administrator: { type: 'boolean' },
    created_at: Timestamp,
    disabled_at: { ...TimestampOrNull, description: 'Since when it is disabled; null: it is not.' },
  },
});
export type Person = FromSchema<typeof Person>;

const foundQuery = { q: wordsIn('name and address') } as const;

export const listPeople = {
  method: 'GET',
  path: PEOPLE,
  tag: 'people',
  summary: 'List all accounts, oldest first',
  auth: administrators,
  query: record({ properties: { ...pageQuery, ...foundQuery }, optional: ['limit', 'cursor', 'q'] }),
  success: { status: 200, body: pageOf(Person) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const exportPeople = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${PEOPLE}.csv`,
  tag: 'people',
  summary: 'Export all accounts as CSV, oldest first',
  query: record({ properties: foundQuery, optional: ['q'] }),
  auth: administrators,
  problems: ['forbidden'],
} as const satisfies Operation;

export const disablePerson = {
  method: 'POST',
  path: `${PERSON}/disable`,
  tag: 'people',
  summary: 'Disable an account',
  description:
    'Within two seconds its sessions end and its API keys stop, at every instance; signing in answers as a wrong password does. ' +
    'The invitations it made are revoked, and its connection to the repository host is ended. What it recorded stays. Teams ' +
    'that it owned alone stay without an owner until one of their members is named by `POST /api/people/{user_id}/ownership`.',
  auth: administrators,
  repeatable: true,
  success: { status: 200, body: envelope(Person) },
  problems: ['forbidden', 'last-administrator'],
} as const satisfies Operation;

export const enablePerson = {
  method: 'POST',
  path: `${PERSON}/enable`,
  tag: 'people',
  summary: 'Enable a disabled account',
  description:
    'Its password, roles and API keys work again; sessions, invitations and the connection to the host do not.',
  auth: administrators,
  repeatable: true,
  success: { status: 200, body: envelope(Person) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const vouchForPerson = {
  method: 'POST',
  path: `${PERSON}/vouch`,
  tag: 'people',
  summary: 'Vouch for the address of an account',
  description: 'Makes it a verified address: the person then sees what it is invited to.',
  auth: administrators,
  repeatable: true,
  success: { status: 200, body: envelope(Person) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const ServiceInvitation = record({
  title: 'ServiceInvitation',
  description: 'An invitation into no team that can still be accepted.',
  properties: {
    id: Id,
    email: EmailOrNull,
    mixed_scripts: MixedScripts,
    created_by: Text,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
});
export type ServiceInvitation = FromSchema<typeof ServiceInvitation>;

export const listServiceInvitations = {
  method: 'GET',
  path: INVITATIONS,
  tag: 'people',
  group: 'invitations',
  summary: 'List the invitations into no team that can still be accepted',
  auth: administrators,
  success: { status: 200, body: list(ServiceInvitation) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const exportServiceInvitations = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${INVITATIONS}.csv`,
  tag: 'people',
  group: 'invitations',
  summary: 'Export the invitations into no team that can still be accepted as CSV',
  auth: administrators,
  problems: ['forbidden'],
} as const satisfies Operation;

export const revokeServiceInvitation = {
  method: 'DELETE',
  path: `${INVITATIONS}/{invitation_id}`,
  tag: 'people',
  group: 'invitations',
  summary: 'Revoke an invitation into no team',
  auth: administrators,
  success: { status: 204, body: null },
  problems: ['forbidden'],
} as const satisfies Operation;

export const OwnerlessTeam = record({
  title: 'OwnerlessTeam',
  description: 'A team whose owners are all disabled, with the members who can own it.',
  properties: { id: Id, name: Text, members: { type: 'array', items: Member } },
});
export type OwnerlessTeam = FromSchema<typeof OwnerlessTeam>;

export const listOwnerlessTeams = {
  method: 'GET',
  path: `${PEOPLE}/ownerless-teams`,
  tag: 'people',
  summary: 'List the teams whose owners are all disabled',
  auth: administrators,
  success: { status: 200, body: list(OwnerlessTeam) },
  problems: ['forbidden'],
} as const satisfies Operation;

export const nameOwner = {
  method: 'POST',
  path: `${PERSON}/ownership`,
  tag: 'people',
  summary: 'Make a member the owner of a team whose owners are all disabled',
  auth: administrators,
  body: record({
    title: 'OwnershipRequest',
    properties: { team_id: { ...Id, description: 'A team that `GET /api/people/ownerless-teams` lists.' } },
    examples: [{ team_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e' }],
  }),
  success: { status: 200, body: envelope(Member) },
  problems: ['forbidden'],
} as const satisfies Operation;
