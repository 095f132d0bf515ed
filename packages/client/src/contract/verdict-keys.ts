import type { Operation } from './operation.js';
import { record } from './record.js';
import type { FromSchema } from './schema.js';

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
