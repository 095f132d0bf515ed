import { AXIS_NAMES, AxisName } from './axis-reading.js';
import { Count, MAX_INTEGER, Text, Version } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT } from './path.js';
import { envelope, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

/** One schema for each axis. */
type PerAxis = Readonly<Record<(typeof AXIS_NAMES)[number], Schema>>;

const Weight = { type: 'integer', minimum: 0, maximum: 1000 } as const satisfies Schema;
const Minimum = {
  type: 'number',
  minimum: 0,
  maximum: 100,
  description: 'Least score, 0-100, at most two decimals.',
} as const satisfies Schema;

/** The members of a policy as they are sent. */
export const policyMembers = {
  weights: record({
    description: 'How much each axis counts; 0: shown, but in no way part of the decision. Not all of them are 0.',
    properties: {
      scope: Weight,
      quality: Weight,
      ops: Weight,
      verification: Weight,
      stability: Weight,
    } as const satisfies PerAxis,
  }),
  threshold: Minimum,
  minimums: record({
    properties: {
      scope: Minimum,
      quality: Minimum,
      ops: Minimum,
      verification: Minimum,
      stability: Minimum,
    } as const satisfies PerAxis,
  }),
  required_axes: {
    type: 'array',
    items: AxisName,
    uniqueItems: true,
    maxItems: AXIS_NAMES.length,
    description: 'Axes that must be measured.',
  },
  environments: {
    type: ['array', 'null'],
    items: Text,
    uniqueItems: true,
    minItems: 1,
    maxItems: 100,
    description: 'Environments whose deployments count, compared exactly; null: all.',
  },
  freshness_hours: {
    type: ['number', 'null'],
    exclusiveMinimum: 0,
    maximum: 87_600,
    description:
      'How old the test run may be, in hours, counted in whole minutes (2.3 is 138 minutes), one at least; null: any age.',
  },
  verification: {
    type: 'string',
    enum: ['latest_run', 'latest_per_suite'],
    description: 'Whether the latest run counts, or the sum over the latest run of each suite.',
  },
  max_open_critical_bugs: { ...Count, type: ['integer', 'null'], description: 'Most open critical bugs; null: any.' },
  min_finished_deployments: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_INTEGER,
    description: 'Finished deployments needed before stability is measured.',
  },
  stability_bound: {
    type: 'string',
    enum: ['rate', 'upper_bound'],
    description:
      'What the minimum of stability is demanded of: `rate`: its score, 100 * (1 - change failure rate); `upper_bound`: 100 * (1 - upper bound of the 95 % interval of that rate). Unless sent, `rate`.',
  },
  silence_hours: {
    type: ['number', 'null'],
    exclusiveMinimum: 0,
    maximum: 87_600,
    description:
      'After how many hours, counted in whole minutes, without a report a source of deployments or test runs counts as silent; null: its usual rhythm alone tells. Unless sent, null.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const example = {
  weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
  threshold: 80,
  minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
  required_axes: AXIS_NAMES,
  environments: null,
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: 0,
  min_finished_deployments: 1,
  stability_bound: 'rate',
  silence_hours: null,
} as const;

export const Policy = record({
  title: 'Policy',
  description: 'What a project demands of a release.',
  properties: { ...policyMembers, version: Version },
  examples: [{ ...example, version: 1 }],
});
export type Policy = FromSchema<typeof Policy>;

export const PolicyRequest = record({
  title: 'PolicyRequest',
  description:
    'The whole policy. `version` may be sent back as it was read; where a policy is replaced, `If-Match` decides.',
  properties: { ...policyMembers, version: Version },
  optional: ['stability_bound', 'silence_hours', 'version'],
  examples: [{ ...example, threshold: 85 }],
});
export type PolicyRequest = FromSchema<typeof PolicyRequest>;

export const readPolicy = {
  method: 'GET',
  path: `${PROJECT}/policy`,
  tag: 'projects',
  summary: 'Read the policy of the ship gate',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(Policy) },
  problems: [],
} as const satisfies Operation;

export const replacePolicy = {
  method: 'PUT',
  path: `${PROJECT}/policy`,
  tag: 'projects',
  summary: 'Replace the policy of the ship gate',
  auth: { kind: 'session', role: 'owner' },
  ifMatch: 'required',
  body: PolicyRequest,
  success: { status: 200, body: envelope(Policy) },
  problems: [],
} as const satisfies Operation;
