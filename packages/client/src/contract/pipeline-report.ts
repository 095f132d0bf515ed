import { Id, MAX_INTEGER, Named, ScoreOrNull, Text, TimestampOrNull } from './field.js';
import { Problem } from './problem.js';
import { envelope, type FromSchema, pageOf, record, type Schema } from './schema.js';

export const NotCountedReason = {
  type: 'string',
  enum: [
    'environment_not_counted',
    'still_in_progress',
    'rollback_pending_outcome',
    'release_frozen',
    'set_aside',
    'other_suite_set_aside',
    'superseded_by_newer_run',
    'stale_test_run',
    'canceled',
    'not_applicable',
  ],
  description:
    'Why it does not count. `other_suite_set_aside`: an owner set the latest run of another suite aside, so that verification is unmeasured.',
} as const satisfies Schema;

/** The query of a report that also asks for the contribution of its record to the score. */
export const ContributionQuery = record({
  properties: {
    contribution: {
      type: 'boolean',
      description:
        'Whether the answer says what the record does to the readiness score: `contribution` on each release it counts for, as of the answer, also of a repeated request. Left out for a key without the scope `read`, and when it cannot be read: the record is stored all the same. Costs a read; a flood of reports goes faster without.',
    },
  },
  optional: ['contribution'],
});

export const Contribution = record({
  description:
    "The release's readiness score with and without this record, as of the answer; only where one record is read, or was reported with `contribution=true`, and counts. Left out, too, where a closed release has no earlier record any more that would count in its place, and one may have been removed for its age.",
  properties: { score_with: ScoreOrNull, score_without: ScoreOrNull },
});

/** The attribution of a report: the project and releases it counts for, or the reason why it counts for none. */
const attributionTo = <const A extends 'stability' | 'verification'>(title: string, axis: A) =>
  record({
    title,
    description: 'What the report counts for.',
    properties: {
      project: Named,
      releases: {
        type: 'array',
        items: record({
          properties: {
            id: Id,
            name: Text,
            counts: { type: 'boolean' },
            reason: NotCountedReason,
            contribution: Contribution,
          },
          optional: ['reason', 'contribution'],
        }),
      },
      axis: { const: axis, type: 'string' },
      reason: { type: 'string', enum: ['no_release_window'], description: 'Only when `releases` is empty.' },
    },
    optional: ['reason'],
  });

export const DeploymentAttribution = attributionTo('DeploymentAttribution', 'stability');
export type DeploymentAttribution = FromSchema<typeof DeploymentAttribution>;
export const TestRunAttribution = attributionTo('TestRunAttribution', 'verification');
export type TestRunAttribution = FromSchema<typeof TestRunAttribution>;

/** One page of records that may be removed for their age; `kept_since`: the moment since which the list is complete. */
export const recordPageOf = <const S extends Schema>(items: S) =>
  record({
    properties: {
      ...pageOf(items).properties,
      kept_since: {
        ...TimestampOrNull,
        description: 'Records from before then may have been removed for their age; null: none was.',
      },
    },
  });

const index = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_INTEGER,
  description: 'Place of the record in the request, from 0.',
} as const;

export const BatchResult = {
  title: 'BatchResult',
  description: 'What became of one record.',
  oneOf: [
    record({ properties: { index, result: { type: 'string', enum: ['created', 'duplicate'] }, id: Id } }),
    record({ properties: { index, result: { type: 'string', enum: ['refused'] }, problem: Problem } }),
  ],
} as const;
export type BatchResult = FromSchema<typeof BatchResult>;

export const BatchResults = envelope({
  type: 'array',
  items: BatchResult,
  maxItems: 1000,
  description: 'In the order of the records.',
});

/** Largest body of a batch in bytes, and the most records it may hold. */
export const BATCH_BYTES = 2_097_152;
export const BATCH_RECORDS = 1000;
