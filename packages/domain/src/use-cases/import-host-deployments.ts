import type { Instant } from '../instant.js';
import type { HostDeployment } from '../repository/host-records.js';
import { FOLLOW_DEPLOYMENTS_FOR } from '../repository/import-schedule.js';
import type { ImportCheckpoint } from '../repository/import-state.js';
import { mayStillBegin } from '../repository/imported-deployment.js';
import { nothingToRead, type ReadStage, readWith } from './in-import.js';
import { storeHostDeployments } from './store-host-deployments.js';

/** Where a reading of deployments goes on. */
interface Place {
  readonly page: string;
  /** What the reading asked for from its first page on. */
  readonly since: Instant | null;
  /** When the oldest deployment was created that had not begun when it was read; null: there was none. */
  readonly waiting: Instant | null;
}

const earlier = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

const waitingSince = (rows: readonly HostDeployment[], now: Instant): Instant | null =>
  rows
    .filter((row) => mayStillBegin(row) && now - row.createdAt <= FOLLOW_DEPLOYMENTS_FOR)
    .reduce<Instant | null>((first, { createdAt }) => earlier(first, createdAt), null);

/** The mark `open_deployments` is the oldest one that had not begun: it is read again, whatever the host calls unchanged. */
const withWaiting = (
  { open_deployments: _, ...marks }: ImportCheckpoint['marks'],
  waiting: Instant | null,
): ImportCheckpoint['marks'] =>
  waiting === null ? marks : { ...marks, open_deployments: { since: waiting, validator: null } };

const placeIn = ({ page, marks }: ImportCheckpoint): Omit<Place, 'page'> & { readonly page: string | null } => {
  if (page !== null) return JSON.parse(page) as Place;
  const since = marks.deployments?.since ?? null;
  return { page, since: since === null ? null : earlier(since, marks.open_deployments?.since ?? null), waiting: null };
};

/** Records the host's deployments that are new. */
export const importHostDeployments: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const { marks } = checkpoint;
  const { page, since, waiting } = placeIn(checkpoint);
  const mayBeUnchanged = page === null && marks.open_deployments === undefined;
  const validator = mayBeUnchanged ? (marks.deployments?.validator ?? null) : null;
  const reading = await step.ask((host, access) =>
    host.deployments(access, link.repository, { since, page, validator }),
  );
  if (reading.unchanged) return { ...nothingToRead(step), budget: reading.budget };
  const moments = reading.rows.map(({ createdAt }) => createdAt);
  const still = earlier(waiting, waitingSince(reading.rows, step.now));
  return {
    budget: reading.budget,
    rows: { deployments: reading.rows.length },
    store: async (storing) => {
      await storeHostDeployments(storing, reading.rows);
      const read = readWith(checkpoint, 'deployments', reading, moments);
      if (reading.next === null) return { next: null, reading: read, marks: withWaiting(marks, still) };
      const place: Place = { page: reading.next, since, waiting: still };
      return { next: JSON.stringify(place), reading: read, marks };
    },
  };
};
