import { Deployment } from './deployment.js';
import { Count, Id } from './field.js';
import { Problem } from './problem-body.js';
import { record } from './record.js';
import type { FromSchema } from './schema.js';
import { TestRun } from './test-run.js';

const Result = {
  type: 'string',
  enum: ['created', 'duplicate'],
  description: 'Duplicate: the event was received before, and this is the record of that time.',
} as const;
const Reason = {
  type: 'string',
  enum: ['type_not_used', 'not_a_cdevent', 'run_canceled'],
  description: 'Why no record was made of it.',
} as const;
const Ignored = { type: 'string', enum: ['ignored'], description: 'No record was made of it.' } as const;
const yes = { type: 'boolean', enum: [true] } as const;
const no = { type: 'boolean', enum: [false] } as const;

export const CdEventReceipt = {
  title: 'CdEventReceipt',
  description: 'What became of one event.',
  oneOf: [
    record({ properties: { recorded: yes, result: Result, deployment: Deployment } }),
    record({ properties: { recorded: yes, result: Result, test_run: TestRun } }),
    record({ properties: { recorded: no, result: Ignored, reason: Reason } }),
  ],
} as const;
export type CdEventReceipt = FromSchema<typeof CdEventReceipt>;

const index = { ...Count, description: 'Place of the event in the request, from 0.' } as const;

export const CdEventResult = {
  title: 'CdEventResult',
  description: 'What became of one event of several.',
  oneOf: [
    record({
      properties: { index, result: Result, kind: { type: 'string', enum: ['deployment', 'test_run'] }, id: Id },
    }),
    record({ properties: { index, result: { type: 'string', enum: ['not_recorded'] }, reason: Reason } }),
    record({ properties: { index, result: { type: 'string', enum: ['refused'] }, problem: Problem } }),
  ],
} as const;
export type CdEventResult = FromSchema<typeof CdEventResult>;
