import { AxisRow } from './axis-row.js';
import { Difference, DifferenceQuery } from './difference.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { PROJECT, RELEASE } from './path.js';
import { AxisName } from './policy.js';
import { AsOf, GateReport, HistoryPoint, ReadinessReport, View } from './readiness.js';
import { envelope, record } from './record.js';
import { VerdictEnvelope } from './verdict.js';

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const reportQuery = record({ properties: { view: View, as_of: AsOf }, optional: ['view', 'as_of'] });
const Signed = {
  type: 'boolean',
  description: 'Whether the signed verdict stands beside the data; not together with `as_of`.',
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

export const readDifference = {
  method: 'GET',
  path: `${RELEASE}/readiness/difference`,
  tag: 'readiness',
  summary: 'Read what changed between two moments, with every record that moved it',
  description: 'Both moments must have come; 404 where nothing is known of one.',
  auth,
  query: DifferenceQuery,
  costly: true,
  success: { status: 200, body: Difference },
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
