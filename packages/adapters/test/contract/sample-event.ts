import type { ReleaseEvent } from '@shipworthy/domain';
import { AWKWARD, NOON, sampleId } from './sample-records.js';

/** Something that became true of a release. */
export const sampleEvent = (given: Partial<ReleaseEvent> = {}): ReleaseEvent => ({
  at: NOON,
  type: 'readiness.changed',
  teamId: sampleId(),
  project: { id: sampleId(), name: AWKWARD },
  release: { id: sampleId(), name: AWKWARD },
  reading: { score: 66.66, coverage: 1 / 3, decision: 'hold' },
  before: { score: null, coverage: 0, decision: 'unknown' },
  ...given,
  id: sampleId(),
});
