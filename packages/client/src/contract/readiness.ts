import { AxisReading, OwnAxisReading } from './axis.js';
import { AnyAxisName } from './axis-report.js';
import { Count, CountOrNull, Named, Rate, ScoreOrNull, Timestamp } from './field.js';
import { Decision, Gate, gateMembers } from './gate.js';
import type { Operation } from './operation.js';
import { PROJECT, RELEASE } from './path.js';
import { ownAxesSent, policyMembers } from './policy.js';
import { ReleaseInState } from './release.js';
import { envelope, type FromSchema, type InterfaceBase, record, type Schema } from './schema.js';
import { VerdictEnvelope } from './verdict.js';

/** The sources that may fall silent. */
export const SourceName = { type: 'string', enum: ['deployments', 'test_runs'] } as const satisfies Schema;

export const SilentSource = record({
  title: 'SilentSource',
  description:
    'A source from which nothing came for too long. It moves neither score nor decision, but what it feeds may be out of date.',
  properties: {
    source: SourceName,
    last_at: { ...Timestamp, description: 'When its last record began.' },
    limit_hours: { type: 'number', minimum: 0, description: 'How long may pass without another one, in hours.' },
    basis: {
      type: 'string',
      enum: ['rhythm', 'policy'],
      description:
        'rhythm: three times the median interval between its last 20 records, an hour at least; policy: its `silence_hours`.',
    },
    since: { ...Timestamp, description: 'When the limit was reached.' },
  },
});
export type SilentSource = FromSchema<typeof SilentSource>;

export const ReportAsOf = {
  ...Timestamp,
  description: 'Since when it reads as it does: the last change, or the last time limit that passed.',
} as const;
const FrozenAt = { ...Timestamp, description: 'When the release shipped; only in the report frozen then.' } as const;
export const Coverage = { ...Rate, description: 'Weight of the measured axes / weight of all axes, 0-1.' } as const;

const readinessReportSchema = record({
  title: 'ReadinessReport',
  description: 'The judgement of one release: score, coverage, five axes, ship gate.',
  properties: {
    project: Named,
    release: ReleaseInState,
    as_of: ReportAsOf,
    frozen_at: FrozenAt,
    formula: {
      type: 'string',
      enum: ['1', '2'],
      description: '`2` where an axis of the own ones has a weight above 0: the same weighted mean, over more axes.',
    },
    score: { ...ScoreOrNull, description: 'Weighted mean over the measured axes, 0-100; null: nothing is measured.' },
    coverage: Coverage,
    axes: { type: 'array', items: AxisReading, minItems: 5, maxItems: 5, description: 'Always in axis order.' },
    own_axes: {
      type: 'array',
      items: OwnAxisReading,
      maxItems: 20,
      description: "Axes of the project's own, by name; missing: the policy has none.",
    },
    gate: Gate,
    silent_sources: {
      type: 'array',
      items: SilentSource,
      maxItems: 2,
      description: 'Deployments and test runs of which none came for too long; empty when none is missed.',
    },
  },
  optional: ['frozen_at', 'own_axes'],
});
export interface ReadinessReportSchema extends InterfaceBase<typeof readinessReportSchema> {}
export const ReadinessReport: ReadinessReportSchema = readinessReportSchema;
export type ReadinessReport = FromSchema<typeof ReadinessReport>;

export const GateReport = record({
  title: 'GateReport',
  description: 'The ship gate alone.',
  properties: { as_of: ReportAsOf, frozen_at: FrozenAt, ...gateMembers },
  optional: ['frozen_at'],
});
export type GateReport = FromSchema<typeof GateReport>;

export const View = {
  type: 'string',
  enum: ['live', 'frozen'],
  description:
    'The report as it reads now, or as it was when the release shipped; unless given, frozen where there is one.',
} as const satisfies Schema;

export const AsOf = {
  ...Timestamp,
  description:
    'A past moment: the report as it was known then, told apart to the second; not together with `view`. 404 where nothing is known of it.',
} as const satisfies Schema;

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const reportQuery = record({ properties: { view: View, as_of: AsOf }, optional: ['view', 'as_of'] });
const Signed = {
  type: 'boolean',
  description: 'Whether the answer also has the signed verdict, beside the data; not together with `as_of`.',
} as const;
const gateQuery = record({
  properties: { view: View, as_of: AsOf, signed: Signed },
  optional: ['view', 'as_of', 'signed'],
});

export const readActiveReadiness = {
  method: 'GET',
  path: `${PROJECT}/readiness`,
  tag: 'readiness',
  summary: "Read the readiness of the project's active release",
  auth,
  etag: true,
  success: { status: 200, body: envelope(ReadinessReport) },
  problems: ['no-active-release'],
  problemStatus: { 'no-active-release': 404 },
} as const satisfies Operation;

export const readReadiness = {
  method: 'GET',
  path: `${RELEASE}/readiness`,
  tag: 'readiness',
  summary: 'Read the readiness of a release',
  description: 'A shipped release answers the report frozen when it shipped, unless `view=live`.',
  auth,
  query: reportQuery,
  etag: true,
  success: { status: 200, body: envelope(ReadinessReport) },
  problems: [],
} as const satisfies Operation;

export const readGate = {
  method: 'GET',
  path: `${RELEASE}/gate`,
  tag: 'readiness',
  summary: 'Read the ship gate of a release',
  description: 'A shipped release answers the decision frozen when it shipped, unless `view=live`.',
  auth,
  query: gateQuery,
  etag: true,
  success: {
    status: 200,
    body: record({ properties: { data: GateReport, verdict: VerdictEnvelope }, optional: ['verdict'] }),
  },
  problems: [],
} as const satisfies Operation;

/** Makes a record of members none of which is required. */
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
    own_axes: {
      type: 'array',
      items: record({
        properties: {
          axis: AnyAxisName,
          part: Count,
          whole: { ...CountOrNull, description: '1 at least; null: it could not be measured.' },
          measured_at: { ...Timestamp, description: 'Unless given, the moment it is judged at.' },
        },
        optional: ['measured_at'],
      }),
      maxItems: 20,
      description: 'The latest report of each of these own axes; those left out stay as they are.',
    },
  },
);

const PolicyChanges = partial('Demands taken for something else; what is left out stays as it is.', {
  ...policyMembers,
  own_axes: ownAxesSent,
  weights: partial('Weights of some axes.', policyMembers.weights.properties),
  minimums: partial('Minimums of some axes.', policyMembers.minimums.properties),
});

const whatIfRequestSchema = record({
  title: 'WhatIfRequest',
  description: 'What is changed in thought.',
  properties: { facts: FactChanges, policy: PolicyChanges },
  optional: ['facts', 'policy'],
  examples: [{ facts: { stability: { succeeded: 19, failed: 1, in_progress: 0 } }, policy: { threshold: 85 } }],
});
export interface WhatIfRequestSchema extends InterfaceBase<typeof whatIfRequestSchema> {}
export const WhatIfRequest: WhatIfRequestSchema = whatIfRequestSchema;
export type WhatIfRequest = FromSchema<typeof WhatIfRequest>;

const whatIfSchema = record({
  title: 'WhatIf',
  description: 'The report with the other facts or policy, and the score, coverage and decision without them.',
  properties: {
    report: ReadinessReport,
    before: record({ properties: { score: ScoreOrNull, coverage: Rate, decision: Decision } }),
  },
});
export interface WhatIfSchema extends InterfaceBase<typeof whatIfSchema> {}
export const WhatIf: WhatIfSchema = whatIfSchema;
export type WhatIf = FromSchema<typeof WhatIf>;

export const askWhatIf = {
  method: 'POST',
  path: `${RELEASE}/readiness/what-if`,
  tag: 'readiness',
  summary: 'Ask what the report of a release would be with other facts or another policy',
  description:
    'Changes nothing. A shipped release is judged from what was frozen when it shipped, at that moment; any other one now. Environments, a way to verify, or what own axes are counted from, where they are changed, count its records anew; facts that are sent are used as they are.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  body: WhatIfRequest,
  repeatable: true,
  success: { status: 200, body: envelope(WhatIf) },
  problems: [],
} as const satisfies Operation;
