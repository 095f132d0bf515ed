import { AnyAxisName } from './axis.js';
import { CountOrNull, ScoreOrNull } from './field.js';
import { type FromSchema, record, type Schema } from './schema.js';
import { ReasonCode, Waiver } from './waiver.js';

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
      ],
    },
    count: {
      ...CountOrNull,
      description:
        'How many; null: no number of them can clear the reason, or it is `await_import`, which ends by itself, or `count_every_suite`, which says that the policy leaves a worse suite out and may stand beside a `go`.',
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
