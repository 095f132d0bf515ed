import { HttpUrl, TextOrNull, TimestampOrNull } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT } from './path.js';
import { envelope, type FromSchema, record, type Schema } from './schema.js';

const owner = { kind: 'session', role: 'owner' } as const;
const open = { kind: 'open' } as const;

export const ShownBadge = record({
  title: 'ShownBadge',
  description: 'Where the badge is from now on; the token is answered here and never again.',
  properties: {
    token: { type: 'string', description: '256 random bits, URL-safe; it shows the badge and nothing else.' },
    svg_url: { ...HttpUrl, description: 'The image, with the token.' },
    json_url: { ...HttpUrl, description: 'What https://shields.io/badges/endpoint-badge takes, with the token.' },
  },
});
export type ShownBadge = FromSchema<typeof ShownBadge>;

export const BadgeState = record({
  title: 'BadgeState',
  description: 'Whether a badge is shown, and who began it. Only its holders know the token.',
  properties: {
    shown: { type: 'boolean' },
    shown_at: { ...TimestampOrNull, description: 'When its token was made; null: it is not shown.' },
    shown_by: { ...TextOrNull, description: 'Who made it; null: it is not shown.' },
  },
});
export type BadgeState = FromSchema<typeof BadgeState>;

export const readBadgeState = {
  method: 'GET',
  path: `${PROJECT}/badge`,
  tag: 'projects',
  group: 'badges',
  summary: 'Read whether the badge is shown',
  auth: owner,
  success: { status: 200, body: envelope(BadgeState) },
  problems: [],
} as const satisfies Operation;

export const showBadge = {
  method: 'PUT',
  path: `${PROJECT}/badge`,
  tag: 'projects',
  group: 'badges',
  summary: 'Show the badge to anyone who has its token',
  description: 'Sent again it makes another token, and the former one ends.',
  auth: owner,
  success: { status: 200, body: envelope(ShownBadge) },
  problems: [],
} as const satisfies Operation;

export const hideBadge = {
  method: 'DELETE',
  path: `${PROJECT}/badge`,
  tag: 'projects',
  group: 'badges',
  summary: 'Stop showing the badge',
  auth: owner,
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;

const query = record({
  properties: {
    token: {
      type: 'string',
      format: 'characters',
      maxLength: 200,
      description: 'The token of the badge. Without it, or with another one, the project is as good as unknown.',
    },
  },
  optional: ['token'],
});

const description =
  'Name, decision and score of the active release, as they are now. Not to be kept without asking whether it still holds.';

export const readBadgeImage = {
  method: 'GET',
  path: `${PROJECT}/badge.svg`,
  tag: 'projects',
  group: 'badges',
  summary: 'Read the badge as an image',
  description,
  auth: open,
  query,
  etag: true,
  success: {
    status: 200,
    body: { type: 'string' } as const satisfies Schema,
    contentType: 'image/svg+xml; charset=utf-8',
  },
  problems: [],
} as const satisfies Operation;

export const Badge = record({
  title: 'Badge',
  description: 'In the endpoint schema of shields.io; no `data` envelope.',
  properties: {
    schemaVersion: { type: 'integer', const: 1 },
    label: { type: 'string', const: 'readiness' },
    message: {
      type: 'string',
      minLength: 1,
      examples: ['2.4: hold 63.3', '2.4: go with 1 waiver 91.2', '2.4: unknown, 1 of 5 measured', 'no active release'],
    },
    color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
  },
});
export type Badge = FromSchema<typeof Badge>;

export const readBadge = {
  method: 'GET',
  path: `${PROJECT}/badge.json`,
  tag: 'projects',
  group: 'badges',
  summary: 'Read the badge as shields.io takes it',
  description,
  auth: open,
  query,
  etag: true,
  success: { status: 200, body: Badge },
  problems: [],
} as const satisfies Operation;
