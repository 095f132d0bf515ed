import { HttpUrl, Id, Text, TextOrNull, Timestamp, Version } from './field.js';
import type { Operation } from './operation.js';
import { RELEASE } from './path.js';
import { envelope, list, record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

const State = { type: 'string', enum: ['open', 'done', 'not_applicable'] } as const satisfies Schema;

export const Evidence = record({
  title: 'Evidence',
  description: 'A link that shows an item is really done.',
  properties: { id: Id, url: HttpUrl, label: Text, added_by: Text, added_at: Timestamp },
});
export type Evidence = FromSchema<typeof Evidence>;

export const ChecklistItem = record({
  title: 'ChecklistItem',
  description: 'One line of the launch checklist.',
  properties: {
    id: Id,
    key: { ...Text, description: 'Stable within the release.', examples: ['feature_flag'] },
    title: Text,
    state: State,
    evidence: { type: 'array', items: Evidence },
    version: Version,
    updated_at: Timestamp,
    updated_by: { ...TextOrNull, description: 'Who last changed it; null: as created with the release.' },
  },
});
export type ChecklistItem = FromSchema<typeof ChecklistItem>;

const CHECKLIST = `${RELEASE}/checklist` as const;
const ITEM = `${CHECKLIST}/{item_id}` as const;
const manage = { kind: 'session', role: 'member' } as const;

export const listChecklist = {
  method: 'GET',
  path: CHECKLIST,
  tag: 'checklist',
  summary: 'List the launch checklist of a release',
  description: 'In list order; never paged.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: list(ChecklistItem) },
  problems: [],
} as const satisfies Operation;

export const addChecklistItem = {
  method: 'POST',
  path: CHECKLIST,
  tag: 'checklist',
  summary: 'Add an item at the end of the checklist',
  auth: manage,
  body: record({
    title: 'ChecklistItemRequest',
    properties: { title: Text },
    examples: [{ title: 'Support team briefed' }],
  }),
  idempotent: true,
  success: { status: 201, body: envelope(ChecklistItem) },
  problems: ['release-closed'],
} as const satisfies Operation;

export const changeChecklistItem = {
  method: 'PATCH',
  path: ITEM,
  tag: 'checklist',
  summary: 'Tick, open, rename an item, or mark it as not applicable',
  auth: manage,
  ifMatch: 'optional',
  body: record({
    title: 'ChecklistItemChange',
    description: 'What to change; what is missing stays.',
    properties: { state: State, title: Text },
    optional: ['state', 'title'],
    minProperties: 1,
    examples: [{ state: 'done' }],
  }),
  success: { status: 200, body: envelope(ChecklistItem) },
  problems: ['release-closed'],
} as const satisfies Operation;

export const removeChecklistItem = {
  method: 'DELETE',
  path: ITEM,
  tag: 'checklist',
  summary: 'Remove an item with its evidence',
  auth: manage,
  success: { status: 204, body: null },
  problems: ['release-closed'],
} as const satisfies Operation;

export const addEvidence = {
  method: 'POST',
  path: `${ITEM}/evidence`,
  tag: 'checklist',
  summary: 'Link evidence to an item',
  auth: manage,
  body: record({
    title: 'EvidenceRequest',
    properties: { url: HttpUrl, label: Text },
    examples: [{ url: 'https://docs.acme.dev/checkout/2.4', label: 'Release notes' }],
  }),
  idempotent: true,
  success: { status: 201, body: envelope(Evidence) },
  problems: ['release-closed'],
} as const satisfies Operation;

export const removeEvidence = {
  method: 'DELETE',
  path: `${ITEM}/evidence/{evidence_id}`,
  tag: 'checklist',
  summary: 'Remove evidence from an item',
  auth: manage,
  success: { status: 204, body: null },
  problems: ['release-closed'],
} as const satisfies Operation;
