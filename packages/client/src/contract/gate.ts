import { AnyAxisName } from './axis-report.js';
import {
  CountOrNull,
  Id,
  MAX_INTEGER,
  Named,
  ScoreOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
} from './field.js';
import { CSV_LIST, CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { RELEASE } from './path.js';
import { envelope, type FromSchema, list, pageOf, pageQuery, record, type Schema, wordsIn } from './schema.js';

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

export const Decision = {
  type: 'string',
  enum: ['go', 'hold', 'unknown'],
  description: '`hold`: a measured condition fails; else `unknown`: something required is unmeasured; else `go`.',
} as const satisfies Schema;

export const Reason = record({
  title: 'Reason',
  description: 'One failed condition of the ship gate.',
  properties: {
    code: ReasonCode,
    axis: { ...AnyAxisName, description: 'The axis, where the reason concerns one.' },
    actual: { type: ['number', 'null'], description: 'What was measured; null: unmeasured.' },
    required: { type: ['number', 'null'], description: 'What the policy demands; null: only that it is measured.' },
    message: { type: 'string' },
    waived: { type: 'boolean', description: 'Whether a waiver covers it.' },
  },
  optional: ['axis'],
});
export type Reason = FromSchema<typeof Reason>;

export const NextStep = record({
  title: 'NextStep',
  description: 'The least that clears a reason. All steps together yield `go`.',
  properties: {
    axis: AnyAxisName,
    action: {
      type: 'string',
      enum: [
        'await_import',
        'add_issues',
        'close_issues',
        'resolve_bugs',
        'resolve_critical_bugs',
        'add_checklist_items',
        'tick_checklist_items',
        'fix_tests',
        'record_test_run',
        'deploy_successfully',
        'count_every_suite',
        'improve',
        'report',
        'provide',
      ],
    },
    count: {
      ...CountOrNull,
      description:
        'How many; null: no number of them can clear the reason, or it is `await_import`, which ends by itself, or `count_every_suite`, which says that the policy leaves a worse suite out and may come with a `go`.',
    },
    gain: { ...ScoreOrNull, description: 'What the step alone adds to the score; null: cannot be told beforehand.' },
    message: { type: 'string' },
  },
});
export type NextStep = FromSchema<typeof NextStep>;

export const gateMembers = {
  decision: Decision,
  reasons: { type: 'array', items: Reason, description: 'Weights, score, axes in axis order, bugs.' },
  decision_without_waivers: Decision,
  waivers: { type: 'array', items: Waiver, description: 'Those that apply.' },
  next_steps: { type: 'array', items: NextStep },
} as const satisfies Readonly<Record<string, Schema>>;

export const Gate = record({
  title: 'Gate',
  description: 'The decision whether the release may ship, with and without waivers.',
  properties: gateMembers,
});
export type Gate = FromSchema<typeof Gate>;

const waiverQuery = {
  state: {
    type: 'string',
    enum: ['active', 'expired', 'withdrawn'],
    description: 'Only waivers of that state: `active` ones are neither expired nor withdrawn.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

export const listWaivers = {
  method: 'GET',
  path: `${RELEASE}/waivers`,
  tag: 'readiness',
  summary: 'List the waivers of a release, oldest first',
  description: 'Expired and withdrawn ones too; never paged.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  query: record({ properties: waiverQuery, optional: ['state'] }),
  success: { status: 200, body: list(Waiver) },
  problems: [],
} as const satisfies Operation;

export const exportWaivers = {
  ...CSV_LIST,
  path: `${RELEASE}/waivers.csv`,
  tag: 'readiness',
  summary: 'Export the waivers of a release as CSV, oldest first',
  query: record({ properties: waiverQuery, optional: ['state'] }),
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
      actual: {
        type: ['number', 'null'],
        minimum: 0,
        maximum: MAX_INTEGER,
        description:
          'The `actual` of the reason as the person saw it. Where the reason is worse now, 409 `reason-worse` with the ' +
          'present one as `current`, and nothing changes. Without this member the reason is accepted as it is now.',
      },
      text: { ...Text, description: 'Why it is accepted.' },
      expires_at: { ...Timestamp, description: 'At most 90 days ahead.' },
    },
    optional: ['axis', 'actual'],
    examples: [
      {
        code: 'axis_below_minimum',
        axis: 'ops',
        actual: 33.33,
        text: 'Docs follow on Monday.',
        expires_at: '2026-12-01T00:00:00Z',
      },
    ],
  }),
  idempotent: true,
  success: { status: 201, body: envelope(Waiver) },
  problems: ['no-such-reason', 'reason-worse', 'release-closed'],
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

export const GateChange = record({
  title: 'GateChange',
  description: "A change of the gate's decision about a release. The first decision there is changes nothing.",
  properties: {
    id: { ...Id, description: 'That of the event `gate.changed`.' },
    team_id: Id,
    project: Named,
    release: Named,
    at: { ...Timestamp, description: 'When it became true.' },
    noted_at: { ...Timestamp, description: 'When the service noted it; no two have the same.' },
    before: Decision,
    after: Decision,
    reason: {
      oneOf: [Reason, { type: 'null' }],
      description: 'The reason to begin with at that moment, of those not waived; null: none.',
    },
    unread: { type: 'boolean', description: 'Whether it was noted after `read_up_to`.' },
  },
});
export type GateChange = FromSchema<typeof GateChange>;

const { data, next_cursor } = pageOf(GateChange).properties;

const foundQuery = { q: wordsIn('the names of project and release') } as const;

export const listGateChanges = {
  method: 'GET',
  path: '/api/gate-changes',
  tag: 'readiness',
  group: 'gate-changes',
  summary: 'List the changes of gates in all projects in sight, and how many of them are unread',
  description: 'The one noted last comes first. Without archived projects and teams. Kept for 30 days.',
  auth: { kind: 'session' },
  query: record({ properties: { ...pageQuery, ...foundQuery }, optional: ['limit', 'cursor', 'q'] }),
  success: {
    status: 200,
    body: record({
      title: 'GateChanges',
      properties: {
        data,
        next_cursor,
        read_up_to: {
          ...Timestamp,
          description: 'Up to when the person has read them; before the first time, when the account was made.',
        },
        unread: { type: 'integer', minimum: 0, maximum: 100, description: 'On all pages; 100: as many or more.' },
      },
    }),
  },
  problems: [],
} as const satisfies Operation;

export const exportGateChanges = {
  ...CSV_LIST_FROM_PRIMARY,
  path: '/api/gate-changes.csv',
  tag: 'readiness',
  group: 'gate-changes',
  summary: 'Export the changes of gates in all projects in sight as CSV, the one noted last first',
  query: record({ properties: foundQuery, optional: ['q'] }),
  auth: { kind: 'session' },
} as const satisfies Operation;

export const readGateChanges = {
  method: 'PUT',
  path: '/api/gate-changes/read-up-to',
  tag: 'readiness',
  group: 'gate-changes',
  summary: 'Keep up to when the person has read the changes of gates',
  description: 'An earlier moment makes later ones unread again; one that has not come counts as now.',
  auth: { kind: 'session' },
  body: record({
    title: 'ReadUpTo',
    properties: { read_up_to: { ...Timestamp, description: 'The `noted_at` of the newest change that was seen.' } },
    examples: [{ read_up_to: '2026-12-01T09:30:00.000Z' }],
  }),
  repeatable: true,
  success: { status: 204, body: null },
  problems: [],
} as const satisfies Operation;
