import { type EventPoint, eventsOfPoints, type ReleaseEvent, waivedDecision } from '../event.js';
import type { Ports, Stores } from '../ports.js';
import type { FrozenReport } from '../readiness/report.js';
import { liveReport, type ReleaseInputs, readsUntil, standingOf } from '../release/facts.js';
import {
  type DirtyRelease,
  type GateChange,
  inputsOfPoint,
  type Knowledge,
  pointsSince,
  type RecordedPoint,
} from '../release/history.js';
import type { Instant } from '../time.js';

/**
 * Writes the points of one release and their events. Writes neither when another instance has taken the claim and will write
 * them.
 */
export async function settleRelease(
  { stores, newId }: Pick<Ports, 'stores' | 'newId'>,
  dirty: DirtyRelease,
  inputs: ReleaseInputs | undefined,
  last: RecordedPoint | undefined,
  now: Instant,
): Promise<void> {
  if (inputs === undefined) {
    await stores.history.settle(dirty, [], null);
    return;
  }
  const points = pointsSince(dirty, inputs, await frozenOf(stores, inputs), last, now);
  const due = inputs.release.state === 'shipped' ? null : readsUntil(inputs, now);
  const told = points.map((point) => eventPoint(inputs, point));
  const events = eventsOfPoints(inputs, last, told, newId);
  const gateChanges = gateChangesOf(inputs, points, events);
  await stores.transaction(async (inside) => {
    const isStillMine = await inside.history.settle(dirty, points, due, unmovedBy(inputs, last, points));
    if (!isStillMine) return;
    if (events.length > 0) await inside.events.append(events);
    if (gateChanges.length > 0) await inside.gateChanges.append(gateChanges, now);
  });
}

/** The changes of the decision that the events tell, each with the main reason at its point. */
const gateChangesOf = (
  inputs: ReleaseInputs,
  points: readonly RecordedPoint[],
  events: readonly ReleaseEvent[],
): readonly GateChange[] =>
  events.flatMap(({ type, id, at, teamId, project, release, reading, before }) => {
    if (type !== 'gate.changed' || before === null) return [];
    const point = points.find((each) => each.at === at);
    const basis = point && inputsOfPoint(inputs, point);
    const reason = basis ? standingOf(basis, at).mainReason : null;
    const whose = { teamId, projectId: project.id, releaseId: release.id };
    return [{ id, ...whose, at, before: before.decision, after: reading.decision, reason }];
  });

/** The point with the effect of waivers on its decision, computed from its snapshot. */
const eventPoint = (inputs: ReleaseInputs, point: RecordedPoint): EventPoint => {
  const basis = inputsOfPoint(inputs, point);
  if (basis === null) return point;
  if (basis.waivers.length === 0) return { ...point, waived: { decisionWithoutWaivers: point.decision, waivers: [] } };
  return { ...point, waived: waivedDecision(liveReport(basis, point.at, { nextSteps: false }).gate) };
};

/** The revision that gets no point because its report reads the same; undefined: a point is stored for it. */
const unmovedBy = (
  { revision: { revision, changedAt: at } }: ReleaseInputs,
  last: RecordedPoint | undefined,
  points: readonly RecordedPoint[],
): Knowledge | undefined =>
  last?.revision === revision || points.some((point) => point.at === at) ? undefined : { revision, at };

const frozenOf = async ({ releases }: Stores, { release }: ReleaseInputs): Promise<FrozenReport | null> =>
  release.state === 'shipped' ? ((await releases.frozen(release.id)) ?? null) : null;
