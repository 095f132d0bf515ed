import { HttpUrl, Id, Text, TextOrNull, Timestamp, TimestampOrNull, Version } from './field.js';
import { CSV_LIST_FROM_PRIMARY, type Operation } from './operation.js';
import { PROJECT, RELEASE } from './path.js';
import { envelope, type FromSchema, record, type Schema } from './schema.js';

const State = { type: 'string', enum: ['open', 'done', 'not_applicable'] } as const satisfies Schema;

export const Evidence = record({
  title: 'Evidence',
  description: 'A link that shows an item is really done.',
  properties: { id: Id, url: HttpUrl, label: Text, added_by: Text, added_at: Timestamp },
});
export type Evidence = FromSchema<typeof Evidence>;

const Reason = {
  ...Text,
  maxLength: 500,
  description: 'Why the item does not apply, 1-500 characters.',
  examples: ['Nothing to roll back: the release changes texts only.'],
} as const satisfies Schema;

export const ChecklistItem = record({
  title: 'ChecklistItem',
  description: 'One line of the launch checklist.',
  properties: {
    id: Id,
    key: { ...Text, description: 'Stable within the release.', examples: ['feature_flag'] },
    title: Text,
    origin: {
      type: 'string',
      enum: ['template', 'added'],
      description: "`template`: from the project's checklist template, cannot be removed; `added`: added by hand.",
    },
    state: { ...State, description: 'One that is `not_applicable` counts as open until it is confirmed.' },
    reason: {
      ...Reason,
      type: ['string', 'null'],
      description: 'Why it does not apply; null: it applies, or was marked before reasons were recorded.',
    },
    marked_by: { ...TextOrNull, description: 'Who marked it as not applicable or gave the reason.' },
    marked_at: TimestampOrNull,
    confirmed_by: {
      ...TextOrNull,
      description:
        'The owner who confirmed that it does not apply; null: none did, or it was marked before confirmations.',
    },
    confirmed_at: {
      ...TimestampOrNull,
      description: 'Since when it does not count; null: it applies, or awaits the confirmation of an owner.',
    },
    evidence: { type: 'array', items: Evidence },
    version: Version,
    updated_at: Timestamp,
    updated_by: { ...TextOrNull, description: 'Who last changed it; null: as created with the release.' },
  },
});
export type ChecklistItem = FromSchema<typeof ChecklistItem>;

export const RemovedItem = record({
  title: 'RemovedItem',
  description: 'An item that was added by hand and removed from the release.',
  properties: {
    id: Id,
    key: Text,
    title: Text,
    state: { ...State, description: 'As it was when it was removed.' },
    removed_by: Text,
    removed_at: Timestamp,
    restorable_until: { ...TimestampOrNull, description: 'Before when it can be restored; null: it cannot be.' },
  },
});
export type RemovedItem = FromSchema<typeof RemovedItem>;

const CHECKLIST = `${RELEASE}/checklist` as const;
const ITEM = `${CHECKLIST}/{item_id}` as const;
const manage = { kind: 'session', role: 'member' } as const;
const decide = { kind: 'session', role: 'owner' } as const;

export const listChecklist = {
  method: 'GET',
  path: CHECKLIST,
  tag: 'checklist',
  summary: 'List the launch checklist of a release',
  description: 'In list order; never paged. `removed` names the items that were removed, in list order.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: {
    status: 200,
    body: record({
      properties: {
        data: { type: 'array', items: ChecklistItem },
        removed: { type: 'array', items: RemovedItem },
      },
    }),
  },
  problems: [],
} as const satisfies Operation;

export const exportChecklist = {
  ...CSV_LIST_FROM_PRIMARY,
  path: `${CHECKLIST}.csv`,
  tag: 'checklist',
  summary: 'Export the launch checklist of a release as CSV, in list order',
  description: `${CSV_LIST_FROM_PRIMARY.description} Removed items come last, and say who removed them and when.`,
} as const satisfies Operation;

export const addChecklistItem = {
  method: 'POST',
  path: CHECKLIST,
  tag: 'checklist',
  summary: 'Add an item at the end of the checklist',
  description:
    'A release has 500 items at most, removed ones included; more are refused (422 with the code `too-many` at `/title`).',
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
  description:
    'Marking an item as `not_applicable` needs a `reason`. A mark made by an owner is confirmed by that; any other counts as open until an owner confirms it, and so does one to which a member gives another reason or title. Any other state clears reason and confirmation.',
  auth: manage,
  ifMatch: 'optional',
  body: record({
    title: 'ChecklistItemChange',
    description: 'What to change; what is missing stays.',
    properties: { state: State, title: Text, reason: Reason },
    optional: ['state', 'title', 'reason'],
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
  summary: 'Remove an item that was added by hand',
  description:
    'It is kept with its evidence, can be restored for 30 days, and is named until the release ships. An item of the template is marked as not applicable instead.',
  auth: decide,
  success: { status: 204, body: null },
  problems: ['release-closed', 'template-item'],
} as const satisfies Operation;

export const restoreChecklistItem = {
  method: 'POST',
  path: `${ITEM}/restore`,
  tag: 'checklist',
  summary: 'Put a removed item back',
  description: 'To its place and as it was, within 30 days. An item that is on the checklist stays as it is.',
  auth: decide,
  success: { status: 200, body: envelope(ChecklistItem) },
  problems: ['release-closed', 'not-restorable'],
} as const satisfies Operation;

export const confirmChecklistItem = {
  method: 'POST',
  path: `${ITEM}/confirm`,
  tag: 'checklist',
  summary: 'Confirm that an item does not apply',
  description:
    'From then on it does not count. `If-Match` says which version was seen, so that no other reason is confirmed. One that is confirmed already stays as it is.',
  auth: decide,
  ifMatch: 'required',
  success: { status: 200, body: envelope(ChecklistItem) },
  problems: ['release-closed', 'not-marked'],
} as const satisfies Operation;

export const addEvidence = {
  method: 'POST',
  path: `${ITEM}/evidence`,
  tag: 'checklist',
  summary: 'Link evidence to an item',
  description:
    'An item has 20 links at most, the items of a release 500 in all; more are refused (422 with the code `too-many` at `/url`).',
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

const TemplateItem = record({ properties: { title: Text } });

const Items = {
  type: 'array',
  items: TemplateItem,
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
