import { HostIdOrNull, Id, Text, TextOrNull, Timestamp, TimestampOrNull, Version } from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT, RELEASE } from './path.js';
import { envelope, type FromSchema, pageOf, pageQuery, record, type Schema, wordsIn } from './schema.js';

export const ReleaseState = {
  type: 'string',
  enum: ['planned', 'active', 'shipped', 'canceled'],
} as const satisfies Schema;

/** A release with its state, as a report names it. */
export const ReleaseInState = record({ properties: { id: Id, name: Text, state: ReleaseState } });

const StartsAt = 'Start of the release window; unless given, the moment of the first activation.';
const ROOM = 'Refused (422 with the code `too-many`) where 50 other windows of the project end after it.';
const TargetAt = 'When it is meant to ship.';

export const Release = record({
  title: 'Release',
  description: 'What may ship. A project has at most one active release.',
  properties: {
    id: Id,
    project_id: Id,
    name: { ...Text, description: 'Unique within the project.' },
    state: ReleaseState,
    starts_at: { ...TimestampOrNull, description: `${StartsAt} null: the release has no window yet.` },
    target_at: { ...TimestampOrNull, description: TargetAt },
    shipped_at: TimestampOrNull,
    canceled_at: TimestampOrNull,
    note: { ...TextOrNull, description: 'What was said when it shipped.' },
    external_id: HostIdOrNull,
    version: Version,
    created_at: Timestamp,
  },
  examples: [
    {
      id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d80',
      project_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f',
      name: '2.4',
      state: 'active',
      starts_at: '2026-11-01T00:00:00.000Z',
      target_at: null,
      shipped_at: null,
      canceled_at: null,
      note: null,
      external_id: null,
      version: 2,
      created_at: '2026-10-30T08:00:00.000Z',
    },
  ],
});
export type Release = FromSchema<typeof Release>;

const ReleaseRequest = record({
  title: 'ReleaseRequest',
  properties: {
    name: Text,
    starts_at: { ...Timestamp, description: `${StartsAt} ${ROOM}` },
    target_at: { ...Timestamp, description: TargetAt },
  },
  optional: ['starts_at', 'target_at'],
  examples: [{ name: '2.4', target_at: '2026-12-01T12:00:00Z' }],
});

const ReleaseChange = record({
  title: 'ReleaseChange',
  description: 'What to change; what is missing stays.',
  properties: {
    name: Text,
    starts_at: { ...Timestamp, description: `Cannot change once shipped or canceled. ${ROOM}` },
    target_at: { ...TimestampOrNull, description: `${TargetAt} null: open.` },
  },
  optional: ['name', 'starts_at', 'target_at'],
  minProperties: 1,
  examples: [{ target_at: '2026-12-05T12:00:00Z' }],
});

export const Activation = record({
  title: 'Activation',
  properties: {
    current: {
      type: 'string',
      enum: ['ship', 'park'],
      description: 'What becomes of the release that is active now; without it 409 `release-active`.',
    },
    current_release_id: {
      ...Id,
      description:
        'The release that the person saw active. Where another one is active now, 409 `release-active` names it and ' +
        'nothing changes; without this member `current` applies to the one that is active now.',
    },
  },
  optional: ['current', 'current_release_id'],
  examples: [{ current: 'ship', current_release_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d80' }],
});

const Shipment = record({
  title: 'Shipment',
  properties: { note: Text },
  optional: ['note'],
  examples: [{ note: 'Shipped with one known minor bug.' }],
});

/** The body of an action that takes none: nothing, or `{}`. */
export const Nothing = record({ title: 'Nothing', description: 'Takes no members.', properties: {}, examples: [{}] });

const read = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const manage = { kind: 'session', role: 'member' } as const;
const success = { status: 200, body: envelope(Release) } as const;

const listQuery = {
  q: wordsIn('the name'),
  state: { ...ReleaseState, description: 'Only releases in that state.' },
  sort: {
    type: 'string',
    enum: ['created', 'name', 'target'],
    description:
      '`created` (the default): the newest first. `name`: its characters compared one by one. `target`: the earliest first; releases without a target are last in both orders. Equal ones by when they were created.',
  },
  order: {
    type: 'string',
    enum: ['asc', 'desc'],
    description: 'The default is `desc` for `created`, and `asc` for `name` and `target`. Only with `sort`.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const LIST_MEMBERS = ['q', 'state', 'sort', 'order'] as const;

export const listReleases = {
  method: 'GET',
  path: `${PROJECT}/releases`,
  tag: 'releases',
  summary: 'List the releases of a project, newest first',
  auth: read,
  query: record({ properties: { ...pageQuery, ...listQuery }, optional: ['limit', 'cursor', ...LIST_MEMBERS] }),
  success: { status: 200, body: pageOf(Release) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportReleases = {
  ...CSV_LIST,
  path: `${PROJECT}/releases.csv`,
  tag: 'releases',
  summary: 'Export the releases of a project as CSV',
  query: record({ properties: listQuery, optional: [...LIST_MEMBERS] }),
} as const satisfies Operation;

export const createRelease = {
  method: 'POST',
  path: `${PROJECT}/releases`,
  tag: 'releases',
  summary: 'Plan a release',
  description: 'It starts with a checklist of Docs, Feature flag and Rollback.',
  auth: manage,
  body: ReleaseRequest,
  idempotent: true,
  success: { status: 201, body: envelope(Release) },
  location: `${PROJECT}/releases/{id}`,
  problems: ['name-taken'],
} as const satisfies Operation;

export const readRelease = {
  method: 'GET',
  path: RELEASE,
  tag: 'releases',
  summary: 'Read a release',
  auth: read,
  success,
  problems: [],
} as const satisfies Operation;

export const changeRelease = {
  method: 'PATCH',
  path: RELEASE,
  tag: 'releases',
  summary: 'Change name, start or target of a release',
  description: 'The start of an active release cannot lie ahead: 409 `release-state`.',
  auth: manage,
  ifMatch: 'optional',
  body: ReleaseChange,
  success,
  problems: ['name-taken', 'release-closed', 'release-state'],
} as const satisfies Operation;

export const activateRelease = {
  method: 'POST',
  path: `${RELEASE}/activate`,
  tag: 'releases',
  summary: 'Make a release the active one',
  description:
    'Refused with 409 `release-state` while its `starts_at` lies ahead, and with 422 `too-many` where it starts by this and 50 other windows of ' +
    'the project have not ended. The active one is left unchanged. `current` ships or parks another active release in the same step.',
  auth: manage,
  body: Activation,
  bodyMode: 'optional',
  success,
  problems: ['release-active', 'release-state'],
} as const satisfies Operation;

export const parkRelease = {
  method: 'POST',
  path: `${RELEASE}/park`,
  tag: 'releases',
  summary: 'Put the active release back to planned',
  description: 'Its window stays open.',
  auth: manage,
  body: Nothing,
  bodyMode: 'optional',
  success,
  problems: ['release-state'],
} as const satisfies Operation;

export const shipRelease = {
  method: 'POST',
  path: `${RELEASE}/ship`,
  tag: 'releases',
  summary: 'Ship the active release',
  description:
    'Never refused by the ship gate; the decision of this moment is frozen with it. Refused with 409 `release-state` while its `starts_at` lies ahead.',
  auth: manage,
  body: Shipment,
  bodyMode: 'optional',
  success,
  problems: ['release-state'],
} as const satisfies Operation;

export const cancelRelease = {
  method: 'POST',
  path: `${RELEASE}/cancel`,
  tag: 'releases',
  summary: 'Cancel a planned or active release',
  auth: manage,
  body: Nothing,
  bodyMode: 'optional',
  success,
  problems: ['release-state'],
} as const satisfies Operation;
