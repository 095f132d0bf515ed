import { Text, Version } from './field.js';
import type { Operation } from './operation.js';
import { PROJECT } from './path.js';
import { envelope, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

const TemplateItem = record({ properties: { title: Text } });

const Items = {
  type: 'array',
  items: TemplateItem,
  uniqueItems: true,
  maxItems: 50,
  description: 'In list order, each title once.',
} as const satisfies Schema;

const items = ['Docs', 'Feature flag', 'Rollback'].map((title) => ({ title }));

export const ChecklistTemplate = record({
  title: 'ChecklistTemplate',
  description: "What the launch checklist of a project's new releases starts with.",
  properties: { items: Items, version: Version },
  examples: [{ items, version: 1 }],
});
export type ChecklistTemplate = FromSchema<typeof ChecklistTemplate>;

export const readChecklistTemplate = {
  method: 'GET',
  path: `${PROJECT}/checklist-template`,
  tag: 'checklist',
  summary: 'Read the checklist template of a project',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(ChecklistTemplate) },
  problems: [],
} as const satisfies Operation;

export const replaceChecklistTemplate = {
  method: 'PUT',
  path: `${PROJECT}/checklist-template`,
  tag: 'checklist',
  summary: 'Replace the checklist template of a project',
  description: 'Releases that are created from then on start with it; those there are keep their items.',
  auth: { kind: 'session', role: 'owner' },
  ifMatch: 'required',
  body: record({
    title: 'ChecklistTemplateRequest',
    description: 'The whole template. `version` may be sent back as it was read; `If-Match` decides.',
    properties: { items: Items, version: Version },
    optional: ['version'],
    examples: [{ items: [...items, { title: 'Support team briefed' }] }],
  }),
  success: { status: 200, body: envelope(ChecklistTemplate) },
  problems: [],
} as const satisfies Operation;
