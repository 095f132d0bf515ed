import { AnyAxisName, AxisReport, AxisReportReason, CountedFrom, ownReport } from './axis-report.js';
import { ChecklistItem } from './checklist.js';
import { Deployment } from './deployment.js';
import { CommitShaOrNull, Count, Rate, Score, Text, TextOrNull, Timestamp, TimestampOrNull } from './field.js';
import { Issue } from './issue.js';
import { CSV_LIST, type Operation } from './operation.js';
import { RELEASE } from './path.js';
import { NotCountedReason } from './pipeline-report.js';
import { type FromSchema, type InterfaceBase, PageQuery, pageOf, record, type Schema } from './schema.js';
import { TestRun } from './test-run.js';

/** The axes, in axis order. */
export const AXIS_NAMES = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;

export const AxisName = {
  type: 'string',
  enum: AXIS_NAMES,
} as const satisfies Schema;

const Weight = { type: 'integer', minimum: 0, maximum: 1000 } as const satisfies Schema;
const Explanation = { type: 'string', description: 'One sentence with the numbers behind it.' } as const;

const AsOf = {
  ...Timestamp,
  description:
    'As of when the issues are known: the linked repository host cannot be read since. Missing while they are current.',
  examples: ['2026-11-21T14:03:00.000Z'],
} as const satisfies Schema;

export const ScopeFacts = record({
  description: 'Issues that are not canceled; while they are being imported those read so far.',
  properties: { done: Count, total: Count },
});

export const QualityFacts = record({
  description:
    'Bugs that are not canceled; the open ones by severity; while they are being imported those read so far.',
  properties: {
    resolved: Count,
    total: Count,
    open: record({ properties: { critical: Count, major: Count, minor: Count, unspecified: Count } }),
  },
});

export const OpsFacts = record({
  description: 'Checklist items that apply; the titles of the first 20 open ones.',
  properties: { done: Count, total: Count, open_items: { type: 'array', items: Text, maxItems: 20 } },
});

/** The ops facts as a report shows them: with marks and removals, which a verdict leaves out. */
const OpsReadingFacts = record({
  description:
    'Checklist items that apply; the titles of the first 20 open ones; what was marked as not applicable or removed.',
  properties: {
    ...OpsFacts.properties,
    not_applicable: {
      type: 'array',
      maxItems: 20,
      description: 'Items marked as not applicable, the first 20; missing: none. Those not confirmed count as open.',
      items: record({
        properties: {
          title: Text,
          reason: { type: ['string', 'null'], description: 'null: marked before reasons were recorded.' },
          by: TextOrNull,
          at: TimestampOrNull,
          confirmed: { type: 'boolean' },
          confirmed_by: TextOrNull,
        },
      }),
    },
    removed: {
      type: 'array',
      maxItems: 20,
      description: 'Items removed from the release while it is open, the first 20; missing: none.',
      items: record({ properties: { title: Text, by: Text, at: Timestamp } }),
    },
  },
  optional: ['not_applicable', 'removed'],
});

export const VerificationFacts = record({
  description: 'The latest test run, or the sum over the latest run of each suite.',
  properties: {
    passed: Count,
    total: Count,
    ran_at: { ...Timestamp, description: 'When it ran; of several runs the oldest.' },
    suite: TextOrNull,
    commit_sha: CommitShaOrNull,
    runs: { ...Count, description: 'How many runs are summed.' },
    worse_suite: {
      oneOf: [record({ properties: { suite: TextOrNull, passed: Count, total: Count } }), { type: 'null' }],
      description:
        'Under `latest_run`: the worst latest run of another suite, where one passed less than the run that counts. Missing: none did.',
    },
  },
  optional: ['worse_suite'],
});

const SetAside = record({
  description: 'The suite whose latest test run is set aside; missing: there is none.',
  properties: { suite: TextOrNull },
});

const StabilityFacts = record({
  description: 'Deployments of the release window that count.',
  properties: {
    succeeded: Count,
    failed: Count,
    in_progress: Count,
    change_failure_rate: {
      ...Rate,
      type: ['number', 'null'],
      description: 'failed / (succeeded + failed), 0-1, unrounded; null: none finished.',
    },
    interval: {
      oneOf: [record({ properties: { low: Rate, high: Rate, level: { const: 0.95 } } }), { type: 'null' }],
      description: '95 % Wilson score interval of the rate.',
    },
  },
});

/** The reading of one axis, measured or unmeasured. `sometimes`: members that either may have. */
const reading = <
  const A extends string,
  const F extends Schema,
  const C extends readonly [string, ...string[]],
  const M extends Readonly<Record<string, Schema>>,
>(
  axis: A,
  facts: F,
  causes: C,
  sometimes: M,
) => {
  const optional = Object.keys(sometimes) as Extract<keyof M, string>[];
  return [
    record({
      properties: {
        axis: { type: 'string', const: axis },
        state: { type: 'string', const: 'measured' },
        score: Score,
        weight: Weight,
        ...sometimes,
        facts,
        explanation: Explanation,
      },
      optional,
    }),
    record({
      properties: {
        axis: { type: 'string', const: axis },
        state: { type: 'string', const: 'unmeasured' },
        cause: { type: 'string', enum: causes },
        weight: Weight,
        ...sometimes,
        facts,
        explanation: Explanation,
      },
      optional: ['facts', ...optional],
    }),
  ] as const;
};

const axisReadingSchema = {
  title: 'AxisReading',
  description: 'What one axis yields: a score, or the cause why it cannot be told.',
  oneOf: [
    ...reading('scope', ScopeFacts, ['no_issues', 'issues_being_imported'], { as_of: AsOf }),
    ...reading('quality', QualityFacts, ['no_issues', 'issues_being_imported'], { as_of: AsOf }),
    ...reading('ops', OpsReadingFacts, ['no_checklist_items'], {}),
    ...reading('verification', VerificationFacts, ['no_test_run', 'stale_test_run', 'test_run_set_aside'], {
      set_aside: SetAside,
    }),
    ...reading('stability', StabilityFacts, ['no_finished_deployment', 'too_few_deployments'], {}),
  ],
} as const satisfies Schema;
export interface AxisReadingSchema extends InterfaceBase<typeof axisReadingSchema> {}
export const AxisReading: AxisReadingSchema = axisReadingSchema;
export type AxisReading = FromSchema<typeof AxisReading>;

const counts = {
  type: 'boolean',
  description: 'Whether the row counts in the axis; of a shipped release, whether it does in the frozen report.',
} as const satisfies Schema;
const counted = { counts, reason: NotCountedReason } as const;

/** The latest report of an own axis, with the name of the axis, as a verdict carries it. */
export const OwnReportOfAxis = record({ properties: { axis: AnyAxisName, ...ownReport } });

const ownReading = {
  axis: AnyAxisName,
  title: Text,
  weight: Weight,
  minimum: Score,
  required: { type: 'boolean' },
  unit: record({ properties: { one: Text, many: Text } }),
  counted_from: CountedFrom,
  facts: record({
    description: 'The latest report, or what was counted when the release last changed; missing: there is none.',
    properties: ownReport,
  }),
  explanation: Explanation,
} as const;

const ownAxisReadingSchema = {
  title: 'OwnAxisReading',
  description: "What an axis of the project's own yields.",
  oneOf: [
    record({
      properties: { ...ownReading, state: { type: 'string', const: 'measured' }, score: Score },
      optional: ['counted_from'],
    }),
    record({
      properties: {
        ...ownReading,
        state: { type: 'string', const: 'unmeasured' },
        cause: { type: 'string', enum: ['no_report', 'stale_report', 'not_measurable', 'nothing_to_count'] },
      },
      optional: ['counted_from', 'facts'],
    }),
  ],
} as const satisfies Schema;
export interface OwnAxisReadingSchema extends InterfaceBase<typeof ownAxisReadingSchema> {}
export const OwnAxisReading: OwnAxisReadingSchema = ownAxisReadingSchema;
export type OwnAxisReading = FromSchema<typeof OwnAxisReading>;

const issueRowSchema = record({
  title: 'IssueRow',
  description: 'An issue or bug under scope or quality.',
  properties: { ...Issue.properties, ...counted },
  optional: ['reason'],
});
export interface IssueRowSchema extends InterfaceBase<typeof issueRowSchema> {}
const IssueRow: IssueRowSchema = issueRowSchema;

const checklistRowSchema = record({
  title: 'ChecklistRow',
  description: 'A checklist item under ops. Its own `reason` is named `mark_reason` here.',
  properties: {
    ...ChecklistItem.properties,
    mark_reason: ChecklistItem.properties.reason,
    counts,
    reason: {
      type: 'string',
      enum: [...NotCountedReason.enum, 'awaiting_confirmation'],
      description:
        'Why it does not count; `awaiting_confirmation`: it counts as open until an owner confirms its mark.',
    },
  },
  optional: ['reason'],
});
export interface ChecklistRowSchema extends InterfaceBase<typeof checklistRowSchema> {}
const ChecklistRow: ChecklistRowSchema = checklistRowSchema;

const testRunRowSchema = record({
  title: 'TestRunRow',
  description: 'A test run under verification.',
  properties: { ...TestRun.properties, ...counted },
  optional: ['reason'],
});
export interface TestRunRowSchema extends InterfaceBase<typeof testRunRowSchema> {}
const TestRunRow: TestRunRowSchema = testRunRowSchema;

const deploymentRowSchema = record({
  title: 'DeploymentRow',
  description: 'A deployment under stability.',
  properties: { ...Deployment.properties, ...counted },
  optional: ['reason'],
});
export interface DeploymentRowSchema extends InterfaceBase<typeof deploymentRowSchema> {}
const DeploymentRow: DeploymentRowSchema = deploymentRowSchema;

const axisReportRowSchema = record({
  title: 'AxisReportRow',
  description: "A report under an axis of the project's own.",
  properties: { ...AxisReport.properties, counts, reason: AxisReportReason },
  optional: ['reason'],
});
export interface AxisReportRowSchema extends InterfaceBase<typeof axisReportRowSchema> {}
const AxisReportRow: AxisReportRowSchema = axisReportRowSchema;

const axisRowSchema = {
  title: 'AxisRow',
  description: 'The record itself and whether it counts.',
  oneOf: [IssueRow, ChecklistRow, TestRunRow, DeploymentRow, AxisReportRow],
} as const satisfies Schema;
export interface AxisRowSchema extends InterfaceBase<typeof axisRowSchema> {}
export const AxisRow: AxisRowSchema = axisRowSchema;
export type AxisRow = FromSchema<typeof AxisRow>;
export type IssueRow = FromSchema<typeof IssueRow>;
export type ChecklistRow = FromSchema<typeof ChecklistRow>;
export type TestRunRow = FromSchema<typeof TestRunRow>;
export type DeploymentRow = FromSchema<typeof DeploymentRow>;
export type AxisReportRow = FromSchema<typeof AxisReportRow>;

export const listAxisRows = {
  method: 'GET',
  path: `${RELEASE}/readiness/{axis}`,
  tag: 'readiness',
  summary: 'List the records under one axis',
  description:
    'scope: issues; quality: bugs, open ones first; ops: checklist items in list order; verification: test runs, stability: deployments, newest first. Under an own axis: its reports, latest first, or the records that the service counts for it.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  parameters: { axis: AnyAxisName },
  query: PageQuery,
  success: { status: 200, body: pageOf(AxisRow) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportAxisRows = {
  ...CSV_LIST,
  path: `${RELEASE}/readiness/{axis}/rows.csv`,
  tag: 'readiness',
  summary: 'Export the records under one axis as CSV, in the order of the list',
  description: `${CSV_LIST.description} \`counts\` and \`reason\` say whether the record counts in the axis; behind them are the columns of that kind of record, without those of the release.`,
  parameters: { axis: AnyAxisName },
} as const satisfies Operation;
