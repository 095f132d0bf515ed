import { AxisReading } from './axis-reading.js';
import { Id, Rate, ScoreOrNull, Text, Timestamp } from './field.js';
import { Gate, gateMembers } from './gate.js';
import { record } from './record.js';
import { ReleaseState } from './release.js';
import type { FromSchema, Schema } from './schema.js';
import { SilentSource } from './silent-source.js';

export const ReportAsOf = {
  ...Timestamp,
  description: 'Since when it reads as it does: the last change, or the last time limit that passed.',
} as const;
const FrozenAt = { ...Timestamp, description: 'When the release shipped; only in the report frozen then.' } as const;
export const Coverage = { ...Rate, description: 'Weight of the measured axes / weight of all axes, 0-1.' } as const;

export const ReadinessReport = record({
  title: 'ReadinessReport',
  description: 'The judgement of one release: score, coverage, five axes, ship gate.',
  properties: {
    project: record({ properties: { id: Id, name: Text } }),
    release: record({ properties: { id: Id, name: Text, state: ReleaseState } }),
    as_of: ReportAsOf,
    frozen_at: FrozenAt,
    formula: { type: 'string', const: '1' },
    score: { ...ScoreOrNull, description: 'Weighted mean over the measured axes, 0-100; null: nothing is measured.' },
    coverage: Coverage,
    axes: { type: 'array', items: AxisReading, minItems: 5, maxItems: 5, description: 'Always in axis order.' },
    gate: Gate,
    silent_sources: {
      type: 'array',
      items: SilentSource,
      maxItems: 2,
      description: 'Deployments and test runs of which none came for too long; empty when none is missed.',
    },
  },
  optional: ['frozen_at'],
});
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
