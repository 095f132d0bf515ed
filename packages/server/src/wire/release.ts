import type { BodyOf, Operations, Release as WireRelease } from '@shipworthy/client/contract';
import type { Release, ReleaseEdit } from '@shipworthy/domain';
import { momentOf, momentOrNull, wireMoment, wireMomentOrNull } from './moment.js';

/** A release. */
export const wireRelease = (release: Release): WireRelease => ({
  id: release.id,
  project_id: release.projectId,
  name: release.name,
  state: release.state,
  starts_at: wireMomentOrNull(release.startsAt),
  target_at: wireMomentOrNull(release.targetAt),
  shipped_at: wireMomentOrNull(release.shippedAt),
  canceled_at: wireMomentOrNull(release.canceledAt),
  note: release.note,
  external_id: release.externalId,
  version: release.version,
  created_at: wireMoment(release.createdAt),
});

/** What is to be edited of a release; what was not sent is left out. */
export const releaseEdit = (sent: BodyOf<Operations['changeRelease']>): ReleaseEdit => ({
  ...(sent.name === undefined ? {} : { name: sent.name }),
  ...(sent.starts_at === undefined ? {} : { startsAt: momentOf(sent.starts_at) }),
  ...(sent.target_at === undefined ? {} : { targetAt: momentOrNull(sent.target_at) }),
});
