import {
  Count,
  CountOrNull,
  ExternalId,
  HttpUrl,
  HttpUrlOrNull,
  Id,
  MAX_INTEGER,
  Named,
  Text,
  Timestamp,
} from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT, RELEASE } from './path.js';
import {
  BATCH_BYTES,
  BATCH_RECORDS,
  BatchResults,
  Contribution,
  ContributionQuery,
  recordPageOf,
} from './pipeline-report.js';
import { envelope, type FromSchema, type InterfaceBase, pageQuery, record, type Schema } from './schema.js';

/** One of the five axes, or an own axis of the project. */
export const AnyAxisName = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{1,39}$',
  minLength: 2,
  maxLength: 40,
  description: "One of the five axes, or the name of an axis of the project's own.",
} as const satisfies Schema;

/** The records from which the service counts an own axis that is not reported. */
export const CountedFrom = {
  type: 'string',
  enum: ['checklist_evidence'],
  description:
    'The records that the service counts for the axis; missing: it is reported. `checklist_evidence`: items of the launch checklist that have evidence, of all that apply.',
} as const satisfies Schema;
export type CountedFrom = FromSchema<typeof CountedFrom>;

const WhatIsBehind = { ...Text, maxLength: 500 } as const satisfies Schema;
const Part = { ...Count, description: 'How much of the whole is right, 0 to `whole`; 0 where that is null.' } as const;

/** The members of an axis report from which the reading is made. */
export const ownReport = {
  part: Part,
  whole: { ...CountOrNull, description: '1 at least; null: it could not be measured.' },
  explanation: { ...WhatIsBehind, type: ['string', 'null'] },
  url: HttpUrlOrNull,
  measured_at: { ...Timestamp, description: 'When it was measured, never after it was recorded; the latest counts.' },
} as const satisfies Readonly<Record<string, Schema>>;

export const AxisReportRequest = record({
  title: 'AxisReportRequest',
  description: "One measurement of an axis of the project's own: a part of a whole.",
  properties: {
    part: Part,
    whole: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_INTEGER,
      description: 'How much there is; null: it could not be measured, and `explanation` says why.',
    },
    explanation: { ...WhatIsBehind, description: 'What is behind the numbers, or why there are none.' },
    url: { ...HttpUrl, description: 'Page of the measurement.' },
    measured_at: {
      ...Timestamp,
      description:
        'When it was measured; now unless given. Up to 5 minutes ahead it is taken for now, further ahead refused.',
    },
    external_id: ExternalId,
  },
  optional: ['explanation', 'url', 'measured_at', 'external_id'],
  examples: [{ part: 48, whole: 50, explanation: '2 findings of high severity are open.' }],
});
export type AxisReportRequest = FromSchema<typeof AxisReportRequest>;

export const AxisReportReason = {
  type: 'string',
  enum: ['release_frozen', 'superseded_by_newer_report', 'stale_report', 'not_in_policy', 'counted_axis'],
  description: 'Why it does not count; `counted_axis`: the service counts the axis itself now.',
} as const satisfies Schema;

const axisReportSchema = record({
  title: 'AxisReport',
  description: "A report of an axis of the project's own as it was recorded.",
  properties: {
    id: Id,
    project_id: Id,
    release_id: Id,
    axis: AnyAxisName,
    ...ownReport,
    recorded_at: Timestamp,
    recorded_by: { ...Text, description: 'Name of the person or key.' },
    attribution: record({
      title: 'AxisReportAttribution',
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
              reason: AxisReportReason,
              contribution: Contribution,
            },
            optional: ['reason', 'contribution'],
          }),
          minItems: 1,
          maxItems: 1,
        },
        axis: AnyAxisName,
      },
    }),
  },
});
export interface AxisReportSchema extends InterfaceBase<typeof axisReportSchema> {}
export const AxisReport: AxisReportSchema = axisReportSchema;
export type AxisReport = FromSchema<typeof AxisReport>;

const AxisReportRecord = record({
  title: 'AxisReportRecord',
  description: 'The same as one record of a batch.',
  properties: {
    ...AxisReportRequest.properties,
    release_id: {
      ...Id,
      description:
        'Release of this project; unless given, the one that was active at `measured_at`, else the active one.',
    },
  },
  optional: ['explanation', 'url', 'measured_at', 'external_id', 'release_id'],
  examples: [{ part: 48, whole: 50, external_id: 'scan-7', measured_at: '2026-11-21T14:03:00.000Z' }],
});

const parameters = { axis: AnyAxisName } as const;
const auth = { kind: 'key', scope: 'axes:write', role: 'member' } as const;
const read = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const REPORTS = `${PROJECT}/axes/{axis}/reports` as const;

export const recordAxisReport = {
  method: 'POST',
  path: REPORTS,
  tag: 'axes',
  group: 'own-axes',
  summary: "Report an axis of the project's own",
  description:
    "Goes to the release that was active at `measured_at`, also where that one has shipped by now (it is stored then and does not count, reason `release_frozen`), else to the project's active one. The policy must have the axis. Every report is kept; the latest counts.",
  auth,
  parameters,
  query: ContributionQuery,
  body: AxisReportRequest,
  idempotent: true,
  success: { status: 201, body: envelope(AxisReport) },
  location: `${REPORTS}/{id}`,
  problems: ['no-active-release', 'external-id-conflict'],
  keepsKey: true,
} as const satisfies Operation;

export const recordReleaseAxisReport = {
  method: 'POST',
  path: `${RELEASE}/axes/{axis}/reports`,
  tag: 'axes',
  group: 'own-axes',
  summary: "Report an axis of the project's own to a release",
  description: 'The release must be open, and the policy must have the axis. Every report is kept; the latest counts.',
  auth,
  parameters,
  query: ContributionQuery,
  body: AxisReportRequest,
  idempotent: true,
  success: { status: 201, body: envelope(AxisReport) },
  location: `${REPORTS}/{id}`,
  problems: ['release-closed', 'external-id-conflict'],
  keepsKey: true,
} as const satisfies Operation;

export const importAxisReports = {
  method: 'POST',
  path: `${REPORTS}/batch`,
  tag: 'axes',
  group: 'own-axes',
  summary: "Import up to 1,000 reports of an axis of the project's own",
  description:
    'A JSON array, or NDJSON with one record per line. Good records are stored although others are refused. Give each an `external_id`, so that it is stored once however often it is sent.',
  auth,
  parameters,
  body: { type: 'array', items: AxisReportRecord, minItems: 1, maxItems: BATCH_RECORDS },
  bodyMode: 'batch',
  bodyLimit: BATCH_BYTES,
  idempotent: true,
  success: { status: 200, body: BatchResults },
  problems: [],
} as const satisfies Operation;

const listQuery = {
  release_id: Id,
  measured_from: { ...Timestamp, description: 'Measured then or later.' },
  measured_to: { ...Timestamp, description: 'Measured before then.' },
} as const satisfies Readonly<Record<string, Schema>>;

const LIST_MEMBERS = ['release_id', 'measured_from', 'measured_to'] as const;

export const listAxisReports = {
  method: 'GET',
  path: REPORTS,
  tag: 'axes',
  group: 'own-axes',
  summary: "List the reports of an axis of the project's own, latest first",
  description: 'Everything the project received for it, counted or not, also of an axis that the policy no longer has.',
  auth: read,
  parameters,
  query: record({ properties: { ...pageQuery, ...listQuery }, optional: ['limit', 'cursor', ...LIST_MEMBERS] }),
  success: { status: 200, body: recordPageOf(AxisReport) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportAxisReports = {
  ...CSV_LIST,
  path: `${REPORTS}.csv`,
  tag: 'axes',
  group: 'own-axes',
  summary: "Export the reports of an axis of the project's own as CSV",
  parameters,
  query: record({ properties: listQuery, optional: [...LIST_MEMBERS] }),
} as const satisfies Operation;

export const readAxisReport = {
  method: 'GET',
  path: `${REPORTS}/{report_id}`,
  tag: 'axes',
  group: 'own-axes',
  summary: "Read a report of an axis of the project's own with what it counts for",
  auth: read,
  parameters,
  success: { status: 200, body: envelope(AxisReport) },
  problems: [],
} as const satisfies Operation;
