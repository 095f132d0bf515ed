import { NotCountedReason } from './attribution.js';
import { AxisName } from './axis-reading.js';
import { ChecklistItem } from './checklist.js';
import { Deployment } from './deployment.js';
import { Issue } from './issue.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { RELEASE } from './path.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';
import { TestRun } from './test-run.js';

const counts = { type: 'boolean', description: 'Whether the row counts in the axis.' } as const satisfies Schema;
const counted = { counts, reason: NotCountedReason } as const;

const IssueRow = record({
  title: 'IssueRow',
  description: 'An issue or bug under scope or quality.',
  properties: { ...Issue.properties, ...counted },
  optional: ['reason'],
});

const ChecklistRow = record({
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

const TestRunRow = record({
  title: 'TestRunRow',
  description: 'A test run under verification.',
  properties: { ...TestRun.properties, ...counted },
  optional: ['reason'],
});

const DeploymentRow = record({
  title: 'DeploymentRow',
  description: 'A deployment under stability.',
  properties: { ...Deployment.properties, ...counted },
  optional: ['reason'],
});

export const AxisRow = {
  title: 'AxisRow',
  description: 'The record itself and whether it counts.',
  oneOf: [IssueRow, ChecklistRow, TestRunRow, DeploymentRow],
} as const satisfies Schema;
export type AxisRow = FromSchema<typeof AxisRow>;
export type IssueRow = FromSchema<typeof IssueRow>;
export type ChecklistRow = FromSchema<typeof ChecklistRow>;
export type TestRunRow = FromSchema<typeof TestRunRow>;
export type DeploymentRow = FromSchema<typeof DeploymentRow>;

export const listAxisRows = {
  method: 'GET',
  path: `${RELEASE}/readiness/{axis}`,
  tag: 'readiness',
  summary: 'List the records under one axis',
  description:
    'scope: issues; quality: bugs, open ones first; ops: checklist items in list order; verification: test runs, stability: deployments, newest first.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  parameters: { axis: AxisName },
  query: PageQuery,
  success: { status: 200, body: pageOf(AxisRow) },
  problems: [],
} as const satisfies Operation;
