import { AnyAxisName } from './axis.js';
import { Id, Text, TextOrNull, Timestamp, TimestampOrNull } from './field.js';
import type { Operation } from './operation.js';
import { RELEASE } from './path.js';
import { envelope, type FromSchema, list, record, type Schema } from './schema.js';

const WAIVABLE_CODES = [
  'score_below_threshold',
  'axis_below_minimum',
  'axis_unmeasured',
  'open_critical_bugs',
] as const;

export const ReasonCode = {
  type: 'string',
  enum: ['no_weights', ...WAIVABLE_CODES],
  description:
    '`no_weights`: every weight of the policy is 0, as policies stored before that was refused may have it; it cannot be waived.',
} as const satisfies Schema;

const WaivableCode = {
  type: 'string',
  enum: WAIVABLE_CODES,
} as const satisfies Schema;

export const Waiver = record({
  title: 'Waiver',
  description: "A person's expiring acceptance of one hold reason on one release.",
  properties: {
    id: Id,
    code: WaivableCode,
    axis: { ...AnyAxisName, description: "The reason's axis, where it has one." },
    text: { ...Text, description: 'Why it is accepted; a letter or a digit at least.' },
    actual: {
      type: ['number', 'null'],
      description: 'What was measured when it was signed; null: the axis was unmeasured. It covers nothing worse.',
    },
    created_by: Text,
    created_at: Timestamp,
    expires_at: { ...Timestamp, description: 'From then on it no longer applies.' },
    withdrawn_at: TimestampOrNull,
    withdrawn_by: TextOrNull,
  },
  optional: ['axis'],
});
export type Waiver = FromSchema<typeof Waiver>;

export const listWaivers = {
  method: 'GET',
  path: `${RELEASE}/waivers`,
  tag: 'readiness',
  summary: 'List the waivers of a release, oldest first',
  description: 'Expired and withdrawn ones too; never paged.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: list(Waiver) },
  problems: [],
} as const satisfies Operation;

export const waiveReason = {
  method: 'POST',
  path: `${RELEASE}/waivers`,
  tag: 'readiness',
  summary: 'Accept a hold reason',
  description:
    'One that exists now. The decision is given with and without it; the score never changes by it. A release has 500 waivers at ' +
    'most, ended ones included; more are refused (422 with the code `too-many` at `/code`).',
  auth: { kind: 'session', role: 'owner' },
  body: record({
    title: 'WaiverRequest',
    properties: {
      code: WaivableCode,
      axis: { ...AnyAxisName, description: "The reason's axis; required where the reason has one." },
      text: { ...Text, description: 'Why it is accepted.' },
      expires_at: { ...Timestamp, description: 'At most 90 days ahead.' },
    },
    optional: ['axis'],
    examples: [
      {
        code: 'axis_below_minimum',
        axis: 'ops',
        text: 'Docs follow on Monday.',
        expires_at: '2026-12-01T00:00:00Z',
      },
    ],
  }),
  idempotent: true,
  success: { status: 201, body: envelope(Waiver) },
  problems: ['no-such-reason', 'release-closed'],
} as const satisfies Operation;

export const withdrawWaiver = {
  method: 'DELETE',
  path: `${RELEASE}/waivers/{waiver_id}`,
  tag: 'readiness',
  summary: 'Withdraw a waiver',
  description: 'The record of it stays.',
  auth: { kind: 'session', role: 'owner' },
  success: { status: 204, body: null },
  problems: ['release-closed'],
} as const satisfies Operation;
