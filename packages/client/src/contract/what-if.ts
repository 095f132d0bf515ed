import { Count, Rate, ScoreOrNull, Timestamp } from './field.js';
import { Decision } from './gate.js';
import type { Operation } from './operation.js';
import { RELEASE } from './path.js';
import { policyMembers } from './policy.js';
import { ReadinessReport } from './readiness.js';
import { envelope, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

/** The same members, none of them required. */
const partial = <const P extends Readonly<Record<string, Schema>>>(description: string, properties: P) =>
  record({ description, properties, optional: Object.keys(properties) as Extract<keyof P, string>[] });

const FactChanges = partial(
  'Axes whose facts are taken for something else, each as a whole; the others stay as they are.',
  {
    scope: record({ properties: { done: Count, total: Count } }),
    quality: record({
      properties: {
        resolved: Count,
        total: Count,
        open: record({ properties: { critical: Count, major: Count, minor: Count, unspecified: Count } }),
      },
    }),
    ops: record({ properties: { done: Count, total: Count } }),
    verification: {
      oneOf: [
        record({
          properties: {
            passed: Count,
            total: Count,
            ran_at: { ...Timestamp, description: 'Unless given, the moment it is judged at.' },
          },
          optional: ['ran_at'],
        }),
        { type: 'null' },
      ],
      description: 'null: no test run was recorded.',
    },
    stability: record({ properties: { succeeded: Count, failed: Count, in_progress: Count } }),
  },
);

const PolicyChanges = partial('Demands taken for something else; what is left out stays as it is.', {
  ...policyMembers,
  weights: partial('Weights of some axes.', policyMembers.weights.properties),
  minimums: partial('Minimums of some axes.', policyMembers.minimums.properties),
});

export const WhatIfRequest = record({
  title: 'WhatIfRequest',
  description: 'What is changed in thought.',
  properties: { facts: FactChanges, policy: PolicyChanges },
  optional: ['facts', 'policy'],
  examples: [{ facts: { stability: { succeeded: 19, failed: 1, in_progress: 0 } }, policy: { threshold: 85 } }],
});
export type WhatIfRequest = FromSchema<typeof WhatIfRequest>;

export const WhatIf = record({
  title: 'WhatIf',
  description: 'How the release would stand, and how it stands.',
  properties: {
    report: ReadinessReport,
    before: record({ properties: { score: ScoreOrNull, coverage: Rate, decision: Decision } }),
  },
});
export type WhatIf = FromSchema<typeof WhatIf>;

export const askWhatIf = {
  method: 'POST',
  path: `${RELEASE}/readiness/what-if`,
  tag: 'readiness',
  summary: 'Ask how a release would stand if facts or demands were other ones',
  description:
    'Changes nothing. A shipped release is judged from what was frozen when it shipped, at that moment; any other one now. Environments or a way to verify that are changed count its records anew; facts that are sent stand.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  body: WhatIfRequest,
  repeatable: true,
  success: { status: 200, body: envelope(WhatIf) },
  problems: [],
} as const satisfies Operation;
