import { AxisName } from './axis.js';
import { AnyAxisName } from './axis-report.js';
import { CountOrNull, Id, ScoreOrNull, Timestamp } from './field.js';
import { Decision, Reason } from './gate.js';
import { CSV_LIST, type Operation } from './operation.js';
import { RELEASE } from './path.js';
import { Coverage, ReportAsOf } from './readiness.js';
import { type FromSchema, PageQuery, pageOf, pageQuery, record, type Schema } from './schema.js';

export const Cause = record({
  description: 'What moved the report.',
  properties: {
    kind: {
      type: 'string',
      enum: [
        'deployment',
        'test_run',
        'axis_report',
        'issue',
        'checklist_item',
        'waiver',
        'policy',
        'release',
        'project',
        'time_limit',
      ],
    },
    id: { ...Id, description: 'The record that moved it.' },
    at: Timestamp,
    by: record({
      description:
        'Who did it. Missing when it is not known, as of older changes, and when time alone moved the report.',
      properties: {
        kind: {
          type: 'string',
          enum: ['person', 'api_key', 'host'],
          description: 'A person, an API key, or the repository host; there may be more values one day.',
        },
        name: { type: 'string', description: 'Name of the person or API key then, or title of the host.' },
        user_id: {
          ...Id,
          description: 'The person, or who made the API key. Missing for the host, and for older changes.',
        },
      },
      optional: ['user_id'],
    }),
  },
  optional: ['by'],
});

export const HistoryPoint = record({
  title: 'HistoryPoint',
  description: 'One point of the trend.',
  properties: {
    at: Timestamp,
    score: ScoreOrNull,
    coverage: Coverage,
    decision: Decision,
    axes: {
      type: 'array',
      items: record({ properties: { axis: AxisName, score: ScoreOrNull } }),
      minItems: 5,
      maxItems: 5,
    },
    own_axes: {
      type: 'array',
      items: record({ properties: { axis: AnyAxisName, score: ScoreOrNull } }),
      description: "Axes of the project's own, by name; missing: there were none.",
    },
    causes: { type: 'array', items: Cause, maxItems: 20, description: 'The first 20.' },
    cause_count: { ...CountOrNull, type: 'integer', description: 'How many there were.' },
  },
  optional: ['own_axes'],
});
export type HistoryPoint = FromSchema<typeof HistoryPoint>;

const Reading = record({
  description: 'What the report read then.',
  properties: { as_of: ReportAsOf, score: ScoreOrNull, coverage: Coverage, decision: Decision },
});

const Standing = record({
  properties: {
    state: { type: 'string', enum: ['measured', 'unmeasured'] },
    score: { ...ScoreOrNull, description: '0-100; null: unmeasured.' },
  },
});

export const MovingRecord = record({
  title: 'MovingRecord',
  description: 'A record that moved the report, once for each time it did.',
  properties: {
    ...Cause.properties,
    at: { ...Timestamp, description: 'When the service learned of it.' },
    what: {
      type: 'array',
      items: {
        type: 'string',
        enum: [
          'begun',
          'finished',
          'recorded',
          'set_aside',
          'restored',
          'added',
          'removed',
          'done',
          'reopened',
          'canceled',
          'type_changed',
          'severity_changed',
          'not_applicable',
          'evidence_added',
          'evidence_removed',
          'signed',
          'withdrawn',
          'changed',
          'window_changed',
          'shipped',
          'issues_pending',
          'issues_read',
          'passed',
        ],
      },
      description: 'What became of it; there may be more values one day.',
    },
    axes: {
      type: 'array',
      items: AnyAxisName,
      description:
        'The axes it counts for; empty where it concerns the gate alone, or time alone, or an own axis that the service counts.',
    },
    title: {
      type: 'string',
      description:
        'The record in short, as it is now: environment and status of a deployment, passed and total of a test run, axis, part and whole of its report, title of an issue or checklist item, reason of a waiver, version of the policy. Missing when there is nothing to say.',
    },
  },
  optional: ['by', 'title'],
});
export type MovingRecord = FromSchema<typeof MovingRecord>;

const { data, next_cursor } = pageOf(MovingRecord).properties;

export const Difference = record({
  title: 'Difference',
  description:
    "What changed in a release's report between two moments, and page by page the records that moved it. All else is the same on each page.",
  properties: {
    from: Reading,
    to: Reading,
    axes: {
      type: 'array',
      items: record({ properties: { axis: AxisName, before: Standing, after: Standing } }),
      minItems: 5,
      maxItems: 5,
      description: 'Always in axis order, changed or not.',
    },
    own_axes: {
      type: 'array',
      items: record({ properties: { axis: AnyAxisName, before: Standing, after: Standing } }),
      description: "Axes of the project's own, by name; missing: there are none.",
    },
    reasons: record({
      description: 'Reasons of the gate, told apart by code and axis.',
      properties: {
        gone: { type: 'array', items: Reason, description: 'As they read before.' },
        come: { type: 'array', items: Reason, description: 'As they read after.' },
      },
    }),
    record_count: { ...CountOrNull, type: 'integer', description: 'How many records there are on all pages.' },
    data: { ...data, description: 'All that the later report knows and the earlier one does not, oldest first.' },
    next_cursor,
  },
  optional: ['own_axes'],
});
export type Difference = FromSchema<typeof Difference>;

const between = {
  from: { ...Timestamp, description: 'The earlier moment; it must have come.' },
  to: { ...Timestamp, description: 'The later moment; unless given, now, and on all pages the one of the first.' },
} as const satisfies Readonly<Record<string, Schema>>;

export const DifferenceQuery = record({
  properties: { ...between, ...pageQuery },
  optional: ['to', 'limit', 'cursor'],
}) satisfies Schema;

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;

export const listHistory = {
  method: 'GET',
  path: `${RELEASE}/readiness/history`,
  tag: 'readiness',
  group: 'history',
  summary: 'List the points of the trend, oldest first',
  auth,
  query: PageQuery,
  success: { status: 200, body: pageOf(HistoryPoint) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const readDifference = {
  method: 'GET',
  path: `${RELEASE}/readiness/difference`,
  tag: 'readiness',
  group: 'history',
  summary: 'Read what changed between two moments, with every record that moved it',
  description: 'Both moments must have come; 404 where nothing is known of one.',
  auth,
  query: DifferenceQuery,
  costly: true,
  success: { status: 200, body: Difference },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportDifference = {
  ...CSV_LIST,
  path: `${RELEASE}/readiness/difference.csv`,
  tag: 'readiness',
  group: 'history',
  summary: 'Export the records that moved the report between two moments as CSV, oldest first',
  description: `${CSV_LIST.description} Both moments must have come; 404 where nothing is known of one.`,
  query: record({ properties: between, optional: ['to'] }),
} as const satisfies Operation;
