import { BATCH_BYTES } from './batch.js';
import type { Operation } from './operation.js';
import { HOST_HOOKS } from './path.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';

export const HookReceipt = record({
  title: 'HookReceipt',
  properties: {
    accepted: { type: 'boolean', description: 'Whether a linked repository is read again because of it.' },
    repeated: { type: 'boolean', description: 'Whether this delivery was received before; it then does nothing.' },
  },
  examples: [{ accepted: true, repeated: false }],
});
export type HookReceipt = FromSchema<typeof HookReceipt>;

export const receiveHook = {
  method: 'POST',
  path: HOST_HOOKS,
  tag: 'repository',
  summary: 'Receive what the repository host sends',
  description: 'Only says that something changed: what, is read from the host itself.',
  auth: { kind: 'signature' },
  body: {
    title: 'HookDelivery',
    description: 'In the form of the host.',
    type: 'object',
    additionalProperties: true,
    examples: [{ action: 'edited', repository: { node_id: 'R_kgDOA1b2c3' } }],
  },
  bodyMode: 'raw',
  bodyLimit: BATCH_BYTES,
  success: { status: 200, body: envelope(HookReceipt) },
  problems: ['wrong-signature', 'host-not-configured'],
} as const satisfies Operation;
