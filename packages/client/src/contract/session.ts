import { Email, EmailVerified, Id, NewPassword, Text, Timestamp } from './field.js';
import type { Operation } from './operation.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';

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
