import type { EventType } from '../event/event.js';
import { readingOfPoint, readingOfReport } from '../event/event-reading.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import { liveReport } from '../release/live-report.js';
import type { ReleaseChange } from './in-release.js';

type Transition = Extract<EventType, `release.${string}`>;

/**
 * Tells of a transition that the change has just stored, with what the release reads from now on.
 * @param report what it was frozen with; what it reads live unless given
 */
export const tellTransition = async (
  { stores, project, release, now, newId }: ReleaseChange,
  type: Transition,
  report?: ReadinessReport,
): Promise<void> => {
  const [[dossier], [points]] = await Promise.all([
    stores.facts.factsFor([release.id]),
    stores.history.last([release.id], 1),
  ]);
  // The release was stored by this very transaction.
  if (dossier === undefined) throw new Error(`The release ${release.id} is gone although its project was held still.`);
  await stores.events.append([
    {
      id: newId(),
      at: now,
      type,
      teamId: project.teamId,
      project: { id: project.id, name: project.name },
      release: { id: release.id, name: dossier.release.name },
      reading: readingOfReport(report ?? liveReport(dossier, now, { nextSteps: false })),
      before: readingOfPoint(points?.at(-1)),
    },
  ]);
};
