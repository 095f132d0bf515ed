import { AXIS_NAMES, AxisName } from './axis.js';
import { AnyAxisName, CountedFrom } from './axis-report.js';
import { Count, Id, MAX_INTEGER, ScoreOrNull, Text, TextOrNull, Timestamp, Version } from './field.js';
import { Decision } from './gate.js';
import { CSV_LIST, csvOfFirst, type Operation } from './operation.js';
import { PROJECT } from './path.js';
import { ReleaseInState } from './release.js';
import { envelope, type FromSchema, type InterfaceBase, PageQuery, pageOf, record, type Schema } from './schema.js';

/** One schema for each axis. */
type PerAxis = Readonly<Record<(typeof AXIS_NAMES)[number], Schema>>;

const Weight = { type: 'integer', minimum: 0, maximum: 1000 } as const satisfies Schema;
const Hours = { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 87_600 } as const satisfies Schema;
const Minimum = {
  type: 'number',
  minimum: 0,
  maximum: 100,
  description: 'Minimum score, 0-100, at most two decimals.',
} as const satisfies Schema;

/** The members of a policy on the wire. */
export const policyMembers = {
  weights: record({
    description: 'How much each axis counts; 0: shown, but in no way part of the decision. Not all of them are 0.',
    properties: {
      scope: Weight,
      quality: Weight,
      ops: Weight,
      verification: Weight,
      stability: Weight,
    } as const satisfies PerAxis,
  }),
  threshold: Minimum,
  minimums: record({
    properties: {
      scope: Minimum,
      quality: Minimum,
      ops: Minimum,
      verification: Minimum,
      stability: Minimum,
    } as const satisfies PerAxis,
  }),
  required_axes: {
    type: 'array',
    items: AxisName,
    uniqueItems: true,
    maxItems: AXIS_NAMES.length,
    description: 'Axes that must be measured.',
  },
  environments: {
    type: ['array', 'null'],
    items: Text,
    uniqueItems: true,
    minItems: 1,
    maxItems: 100,
    description: 'Environments whose deployments count, compared exactly; null: all.',
  },
  freshness_hours: {
    ...Hours,
    description:
      'How old the test run may be, in hours, counted in whole minutes (2.3 is 138 minutes), one at least; null: any age.',
  },
  verification: {
    type: 'string',
    enum: ['latest_run', 'latest_per_suite'],
    description: 'Whether the latest run counts, or the sum over the latest run of each suite.',
  },
  max_open_critical_bugs: { ...Count, type: ['integer', 'null'], description: 'Most open critical bugs; null: any.' },
  min_finished_deployments: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_INTEGER,
    description: 'Finished deployments needed before stability is measured.',
  },
  stability_bound: {
    type: 'string',
    enum: ['rate', 'upper_bound'],
    description:
      'What the minimum of stability is demanded of: `rate`: its score, 100 * (1 - change failure rate); `upper_bound`: 100 * (1 - upper bound of the 95 % interval of that rate). `rate` in a new project.',
  },
  silence_hours: {
    ...Hours,
    description:
      'After how many hours, counted in whole minutes, without a report a source of deployments or test runs counts as silent; null: its usual rhythm alone tells.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const Unit = { ...Text, maxLength: 40 } as const;
const ownAxis = {
  name: {
    ...AnyAxisName,
    description: 'None of the five axes; what reports of the axis are sent under.',
    examples: ['security'],
  },
  title: { ...Text, maxLength: 60, description: 'How it is called; unless sent, its name written as a title.' },
  unit: record({
    description: 'What it counts; unless sent, parts.',
    properties: { one: Unit, many: Unit },
    examples: [{ one: 'finding', many: 'findings' }],
  }),
  weight: {
    ...Weight,
    description: 'How much it counts; 0, as unless sent: shown, but in no way part of the decision.',
  },
  minimum: { ...Minimum, description: 'Minimum score, 0-100, at most two decimals; 0 where its weight is 0.' },
  required: { type: 'boolean', description: 'Whether it must be measured; false where its weight is 0.' },
  fresh_for_hours: {
    ...Hours,
    description: 'How old its latest report may be, in hours, counted in whole minutes; null: any age.',
  },
  counted_from: CountedFrom,
} as const satisfies Readonly<Record<string, Schema>>;

export const OwnAxis = record({
  title: 'OwnAxis',
  description: 'What a project demands of an axis beside the five.',
  properties: ownAxis,
  optional: ['counted_from'],
});
export type OwnAxis = FromSchema<typeof OwnAxis>;

export const OwnAxisRequest = record({
  title: 'OwnAxisRequest',
  description: 'An axis beside the five.',
  properties: {
    ...ownAxis,
    counted_from: {
      oneOf: [CountedFrom, { type: 'null' }],
      description:
        'The records that the service counts for it, instead of reports; it takes no `fresh_for_hours` then. null: it is reported; left out: as it is, of a new axis reported.',
    },
  },
  optional: ['title', 'unit', 'weight', 'minimum', 'required', 'fresh_for_hours', 'counted_from'],
  examples: [{ name: 'security', unit: { one: 'finding', many: 'findings' }, weight: 1, minimum: 90, required: true }],
});
export type OwnAxisRequest = FromSchema<typeof OwnAxisRequest>;

/** Own axes in a request to change a policy, and in one that only supposes it. */
export const ownAxesSent = {
  type: ['array', 'null'],
  items: OwnAxisRequest,
  maxItems: 20,
  description: 'Axes beside the five, all of them, in any order; null or an empty list: none.',
} as const satisfies Schema;

const example = {
  weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
  threshold: 80,
  minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
  required_axes: AXIS_NAMES,
  environments: null,
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: 0,
  min_finished_deployments: 1,
  stability_bound: 'rate',
  silence_hours: null,
} as const;

const policySchema = record({
  title: 'Policy',
  description: 'What a project demands of a release.',
  properties: {
    ...policyMembers,
    own_axes: {
      type: 'array',
      items: OwnAxis,
      minItems: 1,
      maxItems: 20,
      description: 'Axes beside the five, by name; missing: there are none.',
    },
    version: Version,
  },
  optional: ['own_axes'],
  examples: [{ ...example, version: 1 }],
});
export interface PolicySchema extends InterfaceBase<typeof policySchema> {}
export const Policy: PolicySchema = policySchema;
export type Policy = FromSchema<typeof Policy>;

export const PolicyRequest = record({
  title: 'PolicyRequest',
  description:
    'The whole policy; `stability_bound`, `silence_hours` and `own_axes` stay as they are where they are left out. `version` may be sent back as it was read; where a policy is replaced, `If-Match` decides.',
  properties: { ...policyMembers, own_axes: ownAxesSent, version: Version },
  optional: ['stability_bound', 'silence_hours', 'own_axes', 'version'],
  examples: [{ ...example, threshold: 85 }],
});
export type PolicyRequest = FromSchema<typeof PolicyRequest>;

export const readPolicy = {
  method: 'GET',
  path: `${PROJECT}/policy`,
  tag: 'projects',
  summary: 'Read the policy of the ship gate',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(Policy) },
  problems: [],
} as const satisfies Operation;

export const replacePolicy = {
  method: 'PUT',
  path: `${PROJECT}/policy`,
  tag: 'projects',
  summary: 'Replace the policy of the ship gate',
  auth: { kind: 'session', role: 'owner' },
  ifMatch: 'required',
  body: PolicyRequest,
  success: { status: 200, body: envelope(Policy) },
  problems: [],
} as const satisfies Operation;

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;

const policyVersionSchema = record({
  title: 'PolicyVersion',
  description: 'A policy as it was from one moment on, until the next version.',
  properties: {
    version: Version,
    changed_at: { ...Timestamp, description: 'From when on it was the policy.' },
    changed_by: { ...TextOrNull, description: 'Who made it; null: the defaults the project was created with.' },
    policy: Policy,
  },
});
export interface PolicyVersionSchema extends InterfaceBase<typeof policyVersionSchema> {}
export const PolicyVersion: PolicyVersionSchema = policyVersionSchema;
export type PolicyVersion = FromSchema<typeof PolicyVersion>;

export const listPolicyVersions = {
  method: 'GET',
  path: `${PROJECT}/policy/versions`,
  tag: 'projects',
  summary: 'List the versions of the policy, newest first',
  description: 'A page has 20 rows at most: a policy may be long.',
  auth,
  query: PageQuery,
  success: { status: 200, body: pageOf(PolicyVersion) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportPolicyVersions = {
  ...CSV_LIST,
  path: `${PROJECT}/policy/versions.csv`,
  tag: 'projects',
  summary: 'Export the versions of the policy as CSV, newest first',
  description: `${csvOfFirst('500')} Environments and own axes are JSON.`,
} as const satisfies Operation;

const Judgement = record({ properties: { score: ScoreOrNull, decision: Decision } });

export const PolicyPreview = record({
  title: 'PolicyPreview',
  description: 'What the releases of a project would be told under another policy.',
  properties: {
    releases: {
      type: 'array',
      items: record({
        properties: {
          release: ReleaseInState,
          before: { ...Judgement, description: 'By the policy it has, or shipped under.' },
          after: { ...Judgement, description: 'By the policy that was sent.' },
          flips: { type: 'boolean', description: 'Whether the decision is another one.' },
        },
      }),
      maxItems: 500,
      description: 'Those that flip first, then the others, newest first each; the first 500.',
    },
    flips: { ...Count, description: 'How many decisions flip, listed or not.' },
    would_have_held: {
      type: 'array',
      items: Id,
      maxItems: 500,
      description:
        'Releases that shipped, have failed deployments and that the policy sent would have held, newest first; the first 500.',
    },
    would_have_held_count: { ...Count, description: 'How many those are, listed or not.' },
    considered: { ...Count, description: 'How many releases were judged again: all that are not canceled.' },
  },
});
export type PolicyPreview = FromSchema<typeof PolicyPreview>;

export const previewPolicy = {
  method: 'POST',
  path: `${PROJECT}/policy/preview`,
  tag: 'projects',
  summary: 'Preview what another policy would decide',
  description:
    'Changes nothing. All releases that are not canceled are judged again: open ones by what is known now, shipped ones by what was frozen when they shipped, with the environments and test runs that the policy sent counts.',
  auth,
  body: PolicyRequest,
  repeatable: true,
  costly: true,
  success: { status: 200, body: envelope(PolicyPreview) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;
