import { AxisRow } from './axis-row.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { PROJECT, RELEASE } from './path.js';
import { AxisName } from './policy.js';
import { GateReport, HistoryPoint, ReadinessReport, View } from './readiness.js';
import { envelope, record } from './record.js';
import { VerdictEnvelope } from './verdict.js';

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const viewQuery = record({ properties: { view: View }, optional: ['view'] });
const Signed = { type: 'boolean', description: 'Whether the signed verdict stands beside the data.' } as const;
const gateQuery = record({ properties: { view: View, signed: Signed }, optional: ['view', 'signed'] });

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
  query: viewQuery,
  etag: true,
  success: { status: 200, body: envelope(ReadinessReport) },
  problems: [],
} as const satisfies Operation;

export const listAxisRows = {
  method: 'GET',
  path: `${RELEASE}/readiness/{axis}`,
  tag: 'readiness',
  summary: 'List the records under one axis',
  description:
    'scope: issues; quality: bugs, open ones first; ops: checklist items in list order; verification: test runs, stability: deployments, newest first.',
  auth,
  parameters: { axis: AxisName },
  query: PageQuery,
  success: { status: 200, body: pageOf(AxisRow) },
  problems: [],
} as const satisfies Operation;

export const listHistory = {
  method: 'GET',
  path: `${RELEASE}/readiness/history`,
  tag: 'readiness',
  summary: 'List the points of the trend, oldest first',
  auth,
  query: PageQuery,
  success: { status: 200, body: pageOf(HistoryPoint) },
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
