import type { Operation } from './operation.js';
import { pageOf, pageQuery } from './page.js';
import { PROJECT, RELEASE } from './path.js';
import { envelope, record } from './record.js';
import { Activation, Nothing, Release, ReleaseChange, ReleaseRequest, ReleaseState, Shipment } from './release.js';

const read = { kind: 'key', scope: 'read', role: 'viewer' } as const;
const manage = { kind: 'session', role: 'member' } as const;
const success = { status: 200, body: envelope(Release) } as const;

export const listReleases = {
  method: 'GET',
  path: `${PROJECT}/releases`,
  tag: 'releases',
  summary: 'List the releases of a project, newest first',
  auth: read,
  query: record({
    properties: { ...pageQuery, state: { ...ReleaseState, description: 'Only releases in that state.' } },
    optional: ['limit', 'cursor', 'state'],
  }),
  success: { status: 200, body: pageOf(Release) },
  problems: [],
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
    'Refused with 409 `release-state` while its `starts_at` lies ahead. The active one is left unchanged. `current` ships or parks another active release in the same step.',
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
