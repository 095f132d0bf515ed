import { Count, Id, Text, Timestamp, TimestampOrNull } from './field.js';
import { CSV_FILE, type Operation } from './operation.js';
import { RELEASE } from './path.js';
import { envelope, type FromSchema, record, type Schema } from './schema.js';

const Seconds = { type: ['number', 'null'], minimum: 0 } as const satisfies Schema;

const Step = {
  type: 'string',
  enum: ['day', 'week', 'change'],
  description:
    'How far apart the points are: a UTC day, a week from Monday on, or one moment at which something changed; `day` unless said. Where there would be more than 500 points, neighbours are taken together.',
} as const satisfies Schema;

const ProgressPoint = record({
  title: 'ProgressPoint',
  description: 'What was there at the end of a span, and what moved within it.',
  properties: {
    from: { ...Timestamp, description: 'First moment of the span.' },
    at: { ...Timestamp, description: 'Last moment of the span, itself included.' },
    done: Count,
    total: { ...Count, description: 'Issues in the release that are not canceled.' },
    bugs: { ...Count, description: 'Bugs among them.' },
    open_bugs: Count,
    added: { ...Count, description: 'Came to count: added to the release, or taken up again after it was canceled.' },
    removed: { ...Count, description: 'Left the release.' },
    canceled: Count,
    completed: { ...Count, description: 'Became done, each time anew.' },
  },
});

const ScopeFlow = record({
  title: 'ScopeFlow',
  properties: {
    added: Count,
    removed: Count,
    canceled: Count,
    net: { type: 'integer', description: '`added - removed - canceled`.' },
  },
});

export const ReleaseSummary = record({
  title: 'ReleaseSummary',
  description: 'One release in numbers that compare with those of others.',
  properties: {
    id: Id,
    name: Text,
    starts_at: TimestampOrNull,
    shipped_at: TimestampOrNull,
    duration_seconds: { ...Seconds, description: 'From the start of its window to shipping; null: not yet.' },
    issues: record({ properties: { done: Count, total: Count } }),
    bugs: record({ properties: { open: Count, total: Count } }),
    scope: record({
      description:
        'How its scope changed before its window began (all of it while it has none) and from then on; both nets together are the total.',
      properties: {
        before_start: ScopeFlow,
        after_start: { oneOf: [ScopeFlow, { type: 'null' }], description: 'null: it has no window yet.' },
        change_rate: {
          type: ['number', 'null'],
          description: 'Net change after the start / total at the start; null: no window, or nothing was in it then.',
        },
      },
    }),
    deployments: record({
      description: "Finished ones of its window that count by the project's policy.",
      properties: { succeeded: Count, failed: Count },
    }),
    lead: record({
      description:
        'How long it took from its first counted deployment; all null where deployments since the start of its window may have been removed for their age.',
      properties: {
        first_deployment_at: { ...TimestampOrNull, description: 'When the first one started.' },
        first_success_at: { ...TimestampOrNull, description: 'When the first one that succeeded ended.' },
        to_first_success_seconds: Seconds,
        to_shipping_seconds: Seconds,
      },
    }),
  },
});
export type ReleaseSummary = FromSchema<typeof ReleaseSummary>;

export const ReleaseAnalysis = record({
  title: 'ReleaseAnalysis',
  description: 'How a release came to be what it is, from the history of its issues. No part of its score.',
  properties: {
    as_of: {
      ...Timestamp,
      description: 'The moment of the last point of the progress, and the moment the summary describes.',
    },
    step: Step,
    points: { type: 'array', items: ProgressPoint, maxItems: 500, description: 'Oldest first.' },
    release: ReleaseSummary,
    earlier: {
      type: 'array',
      items: ReleaseSummary,
      maxItems: 5,
      description:
        'The last releases of the project that shipped before this one ended, newest first, each as it shipped.',
    },
  },
});
export type ReleaseAnalysis = FromSchema<typeof ReleaseAnalysis>;

const spanQuery = {
  from: { ...Timestamp, description: 'Where the progress begins; with the first thing that happened unless said.' },
  to: {
    ...Timestamp,
    description:
      'Where it ends, that moment included: when the release was shipped or canceled unless said, never later than now.',
  },
  step: Step,
} as const;

const common = {
  method: 'GET',
  tag: 'releases',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  problems: [],
} as const;

export const readAnalysis = {
  ...common,
  path: `${RELEASE}/analysis`,
  summary: 'Analyse a release: progress, scope change, open bugs, lead',
  description: 'Beside the last five that shipped before. None of it enters the score.',
  query: record({ properties: spanQuery, optional: ['to', 'step', 'from'] }),
  costly: true,
  success: { status: 200, body: envelope(ReleaseAnalysis) },
  fromReplica: true,
} as const satisfies Operation;

export const exportAnalysis = {
  ...common,
  path: `${RELEASE}/analysis.csv`,
  summary: 'Export the analysis of a release as CSV',
  description:
    'By RFC 4180, with a header, as a file named after the release and the table. A text that a spreadsheet would take for a formula has an apostrophe before it.',
  query: record({
    properties: {
      ...spanQuery,
      table: {
        type: 'string',
        enum: ['progress', 'releases'],
        description:
          '`progress` (unless said): a line per point; `releases`: a line for this release and each earlier one.',
      },
    },
    optional: ['to', 'step', 'table', 'from'],
  }),
  costly: true,
  success: CSV_FILE,
  fromReplica: true,
} as const satisfies Operation;
