import { Count, Id, ScoreOrNull, Text, TextOrNull, Timestamp, Version } from './field.js';
import { Decision } from './gate.js';
import type { Operation } from './operation.js';
import { PageQuery, pageOf } from './page.js';
import { PROJECT } from './path.js';
import { Policy, PolicyRequest } from './policy.js';
import { envelope, record } from './record.js';
import { ReleaseState } from './release.js';
import type { FromSchema } from './schema.js';

const auth = { kind: 'key', scope: 'read', role: 'viewer' } as const;

export const PolicyVersion = record({
  title: 'PolicyVersion',
  description: 'A policy as it was from one moment on, until the next version.',
  properties: {
    version: Version,
    changed_at: { ...Timestamp, description: 'From when on it was the policy.' },
    changed_by: { ...TextOrNull, description: 'Who made it; null: the defaults the project was created with.' },
    policy: Policy,
  },
});
export type PolicyVersion = FromSchema<typeof PolicyVersion>;

export const listPolicyVersions = {
  method: 'GET',
  path: `${PROJECT}/policy/versions`,
  tag: 'projects',
  summary: 'List the versions of the policy, newest first',
  auth,
  query: PageQuery,
  success: { status: 200, body: pageOf(PolicyVersion) },
  problems: [],
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
          release: record({ properties: { id: Id, name: Text, state: ReleaseState } }),
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
} as const satisfies Operation;
