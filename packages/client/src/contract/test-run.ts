import { TestRunAttribution } from './attribution.js';
import {
  CommitSha,
  CommitShaOrNull,
  Count,
  CountOrNull,
  DurationSeconds,
  DurationSecondsOrNull,
  ExternalId,
  HttpUrl,
  HttpUrlOrNull,
  Id,
  MAX_INTEGER,
  Text,
  TextOrNull,
  Timestamp,
} from './field.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

const Total = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_INTEGER,
  description: 'Tests that ran; `passed + failed` may be fewer, the rest errored.',
} as const satisfies Schema;
const Text500 = { ...Text, maxLength: 500, description: 'Why.' } as const satisfies Schema;
const Passed = { ...Count, description: 'Tests that passed.' } as const;
const Failed = { ...Count, description: 'Tests that failed.' } as const;
const Skipped = 'Tests that did not run; informative, never in the rate.';
const RanAt = 'When it ran, never after it was recorded; the greatest is the latest run.';

export const TestRunRequest = record({
  title: 'TestRunRequest',
  description: 'One run of a test suite, counted in tests.',
  properties: {
    total: Total,
    passed: Passed,
    failed: Failed,
    suite: { ...Text, description: 'Label of the suite.', examples: ['unit'] },
    release_id: {
      ...Id,
      description: 'Release of this project; unless given, the one that was active at `ran_at`, else the active one.',
    },
    commit_sha: CommitSha,
    url: { ...HttpUrl, description: 'Page of the run.' },
    duration_seconds: DurationSeconds,
    skipped: { ...Count, description: Skipped },
    ran_at: {
      ...Timestamp,
      description: `When it ran; now unless given. Up to 5 minutes ahead it is taken for now, further ahead refused.`,
    },
    external_id: ExternalId,
  },
  optional: ['suite', 'release_id', 'commit_sha', 'url', 'duration_seconds', 'skipped', 'ran_at', 'external_id'],
  examples: [{ total: 412, passed: 410, failed: 2, suite: 'unit' }],
});
export type TestRunRequest = FromSchema<typeof TestRunRequest>;

export const TestRun = record({
  title: 'TestRun',
  description: 'A test run as it was recorded.',
  properties: {
    id: Id,
    project_id: Id,
    release_id: Id,
    suite: TextOrNull,
    total: Total,
    passed: Passed,
    failed: Failed,
    skipped: { ...CountOrNull, description: Skipped },
    commit_sha: CommitShaOrNull,
    url: HttpUrlOrNull,
    duration_seconds: DurationSecondsOrNull,
    ran_at: { ...Timestamp, description: RanAt },
    recorded_at: Timestamp,
    recorded_by: { ...Text, description: 'Name of the person or key.' },
    set_aside: {
      oneOf: [record({ properties: { reason: Text500, by: Text, at: Timestamp } }), { type: 'null' }],
      description:
        'An owner said that it does not speak for its suite, with who, when and why: it never counts, and verification is unmeasured until the suite has a newer run. null: it is not.',
    },
    attribution: TestRunAttribution,
  },
});
export type TestRun = FromSchema<typeof TestRun>;

export const SetAsideRequest = record({
  title: 'SetAsideRequest',
  description: 'Why a test run does not speak for its suite; a letter or a digit at least.',
  properties: { reason: Text500 },
  examples: [{ reason: 'It ran against the wrong environment.' }],
});
export type SetAsideRequest = FromSchema<typeof SetAsideRequest>;
