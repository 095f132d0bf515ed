import { CountOrNull, ScoreOrNull, Timestamp } from './field.js';
import { Decision, Reason } from './gate.js';
import { AxisName } from './policy.js';
import { Cause, Coverage, ReportAsOf } from './readiness.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

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

const MovingRecord = record({
  title: 'MovingRecord',
  description: 'A record that moved the report.',
  properties: {
    ...Cause.properties,
    title: {
      type: 'string',
      description:
        'The record in short, as it is now: environment and status of a deployment, passed and total of a test run, title of an issue or checklist item, reason of a waiver, version of the policy. Missing when there is nothing to say.',
    },
  },
  optional: ['title'],
});

export const Difference = record({
  title: 'Difference',
  description: "What changed in a release's report between two moments, down to the records that moved it.",
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
    reasons: record({
      description: 'Reasons of the gate, told apart by code and axis.',
      properties: {
        gone: { type: 'array', items: Reason, description: 'As they read before.' },
        come: { type: 'array', items: Reason, description: 'As they read after.' },
      },
    }),
    records: { type: 'array', items: MovingRecord, maxItems: 200, description: 'Oldest first, the first 200.' },
    record_count: { ...CountOrNull, type: 'integer', description: 'How many changes there were, named or not.' },
  },
});
export type Difference = FromSchema<typeof Difference>;

export const DifferenceQuery = record({
  properties: {
    from: { ...Timestamp, description: 'The earlier moment; it must have come.' },
    to: { ...Timestamp, description: 'The later moment; unless given, now.' },
  },
  optional: ['to'],
}) satisfies Schema;
