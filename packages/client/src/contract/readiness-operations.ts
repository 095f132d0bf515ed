import type { Operation } from './operation.js';
import { PROJECT, RELEASE } from './path.js';
import { AsOf, GateReport, ReadinessReport, View } from './readiness.js';
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
