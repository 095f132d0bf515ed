import { Id, MAX_INTEGER } from './field.js';
import { Problem } from './problem-body.js';
import { envelope, record } from './record.js';
import type { FromSchema } from './schema.js';

const index = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_INTEGER,
  description: 'Place of the record in the request, from 0.',
} as const;

export const BatchResult = {
  title: 'BatchResult',
  description: 'What became of one record.',
  oneOf: [
    record({ properties: { index, result: { type: 'string', enum: ['created', 'duplicate'] }, id: Id } }),
    record({ properties: { index, result: { type: 'string', enum: ['refused'] }, problem: Problem } }),
  ],
} as const;
export type BatchResult = FromSchema<typeof BatchResult>;

export const BatchResults = envelope({
  type: 'array',
  items: BatchResult,
  maxItems: 1000,
  description: 'In the order of the records.',
});

/** Largest body of a batch in bytes, and the most records it may hold. */
export const BATCH_BYTES = 2_097_152;
export const BATCH_RECORDS = 1000;
