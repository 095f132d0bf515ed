import { OpsFacts, OwnReportOfAxis, QualityFacts, ScopeFacts, VerificationFacts } from './axis.js';
import { CommitShaOrNull, Count, Named, Rate, ScoreOrNull, TextOrNull, Timestamp, TimestampOrNull } from './field.js';
import { Decision, Reason, Waiver } from './gate.js';
import type { Operation } from './operation.js';
import { Policy } from './policy.js';
import { ReleaseInState } from './release.js';
import { type FromSchema, type InterfaceBase, record, type Schema } from './schema.js';
import { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from './verdict-names.js';

const Base64 = { type: 'string', minLength: 1, pattern: '^[A-Za-z0-9+/]*={0,2}$' } as const satisfies Schema;
const KeyId = { type: 'string', minLength: 1, maxLength: 200, description: 'Names the key that signed.' } as const;

export const VerdictEnvelope = record({
  title: 'VerdictEnvelope',
  description: 'A signed verdict as a DSSE envelope; the payload is an in-toto statement as UTF-8 in base64.',
  properties: {
    payloadType: { type: 'string', const: STATEMENT_MEDIA_TYPE },
    payload: Base64,
    signatures: {
      type: 'array',
      items: record({ properties: { keyid: KeyId, sig: Base64 } }),
      minItems: 1,
      description: 'Ed25519 over the pre-authentication encoding of DSSE.',
    },
  },
});
export type VerdictEnvelope = FromSchema<typeof VerdictEnvelope>;

const Source = {
  oneOf: [
    record({
      properties: {
        last_at: Timestamp,
        median_ms: { type: ['integer', 'null'], minimum: 0, description: 'Of its intervals; null: too few to tell.' },
      },
    }),
    { type: 'null' },
  ],
} as const satisfies Schema;

const verdictFactsSchema = record({
  description: 'The counts it was judged by.',
  properties: {
    scope: ScopeFacts,
    quality: QualityFacts,
    ops: OpsFacts,
    verification: { oneOf: [VerificationFacts, { type: 'null' }] },
    stability: record({ properties: { succeeded: Count, failed: Count, in_progress: Count } }),
    issues_as_of: TimestampOrNull,
    issues_pending: { type: 'boolean', description: 'Whether the issues were known in part only.' },
    test_run_set_aside: {
      oneOf: [record({ properties: { suite: TextOrNull } }), { type: 'null' }],
      description: 'A suite whose latest test run is set aside; null or missing: there is none.',
    },
    sources: record({
      description: 'When reports came; missing: none are expected any more.',
      properties: { deployments: Source, test_runs: Source },
    }),
    own_axes: {
      type: 'array',
      items: OwnReportOfAxis,
      description: 'The latest report of each own axis, or what was counted for it; missing: there are none.',
    },
  },
  optional: ['issues_as_of', 'issues_pending', 'test_run_set_aside', 'sources', 'own_axes'],
});
export interface VerdictFactsSchema extends InterfaceBase<typeof verdictFactsSchema> {}
export const VerdictFacts: VerdictFactsSchema = verdictFactsSchema;
export type VerdictFacts = FromSchema<typeof VerdictFacts>;

const EvidenceCommits = record({
  description: 'Which commits the verdict rests on; missing in verdicts of earlier versions.',
  properties: {
    deployed: {
      ...CommitShaOrNull,
      description:
        'Of the newest counted deployment that succeeded; null: there is none, or it was removed for its age.',
    },
    tested: {
      ...CommitShaOrNull,
      description: 'Of the test runs that count; null: there is none, it was not reported, or they are of several.',
    },
  },
});

const verdictPredicateSchema = record({
  description: 'The judgement with all it was computed from: who has the engine comes to the same result.',
  properties: {
    formula: { type: 'string', enum: ['1', '2'] },
    project: Named,
    release: ReleaseInState,
    as_of: Timestamp,
    frozen_at: { ...TimestampOrNull, description: 'When the release shipped with it; null: a live verdict.' },
    commit: {
      ...CommitShaOrNull,
      description:
        'What is about to ship: the one commit of its evidence, as reported; null: it was not reported, or it is of several.',
    },
    evidence_commits: EvidenceCommits,
    facts: VerdictFacts,
    policy: Policy,
    waivers: { type: 'array', items: Waiver, description: 'All that could apply, expired ones too.' },
    result: record({
      properties: {
        score: ScoreOrNull,
        coverage: Rate,
        decision: Decision,
        decision_without_waivers: Decision,
        reasons: { type: 'array', items: Reason },
      },
    }),
    service_version: { type: 'string', minLength: 1 },
    issued_at: Timestamp,
  },
  optional: ['evidence_commits'],
});
export interface VerdictPredicateSchema extends InterfaceBase<typeof verdictPredicateSchema> {}
export const VerdictPredicate: VerdictPredicateSchema = verdictPredicateSchema;
export type VerdictPredicate = FromSchema<typeof VerdictPredicate>;

export const VerdictStatement = record({
  title: 'VerdictStatement',
  description: 'What a verdict says and of what.',
  properties: {
    _type: { type: 'string', const: STATEMENT_TYPE },
    subject: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: record({
        properties: {
          name: { type: 'string', minLength: 3, description: '`project/release`' },
          digest: record({
            description:
              'The full hash of the commit; without one the SHA-256 of the facts in canonical JSON (RFC 8785).',
            properties: {
              gitCommit: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
              sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
            },
            optional: ['gitCommit', 'sha256'],
            minProperties: 1,
          }),
        },
      }),
    },
    predicateType: { type: 'string', const: VERDICT_TYPE },
    predicate: VerdictPredicate,
  },
});
export type VerdictStatement = FromSchema<typeof VerdictStatement>;

export const VerdictKeys = record({
  title: 'VerdictKeys',
  description: 'A JWK Set: the key that signs verdicts now first, then those that signed before it.',
  properties: {
    keys: {
      type: 'array',
      minItems: 1,
      items: record({
        properties: {
          kty: { type: 'string', const: 'OKP' },
          crv: { type: 'string', const: 'Ed25519' },
          x: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', description: 'The public key as base64url.' },
          kid: { type: 'string', minLength: 1, description: 'Its thumbprint (RFC 7638), named by signatures.' },
          use: { type: 'string', const: 'sig' },
          alg: { type: 'string', const: 'EdDSA' },
        },
      }),
    },
  },
});
export type VerdictKeys = FromSchema<typeof VerdictKeys>;

export const readVerdictKeys = {
  method: 'GET',
  path: '/api/.well-known/shipworthy-keys',
  tag: 'service',
  summary: 'Read the public keys of signed verdicts',
  description: 'Keep them: with them verdicts are verified where the service cannot be reached. No `data` envelope.',
  auth: { kind: 'open' },
  unlimited: true,
  etag: true,
  success: { status: 200, body: VerdictKeys },
  problems: [],
} as const satisfies Operation;
