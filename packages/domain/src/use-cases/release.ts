import { firstChecklist } from '../checklist.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { type EventType, readingOfPoint, readingOfReport, waivedDecision } from '../event.js';
import { requireName } from '../names.js';
import type { Stores } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { FrozenReport, ReadinessReport } from '../readiness/report.js';
import { liveReport, reportAsOf } from '../release/facts.js';
import {
  activate,
  cancel,
  edit,
  MOST_OTHER_WINDOWS,
  park,
  type Release,
  type ReleaseEdit,
  requireStarted,
  ship,
} from '../release/release.js';
import type { Instant } from '../time.js';
import {
  type ChangeOfRelease,
  type ChangePorts,
  type InProject,
  type InRelease,
  noteRelease,
  requireVersion,
  runProjectChange,
  runReleaseChange,
  storeRelease,
} from './change.js';

interface CreateRelease extends InProject {
  readonly name: string;
  /** Start of the release window; null: the moment of the first activation. */
  readonly startsAt: Instant | null;
  readonly targetAt: Instant | null;
}

/** Demands that the window of the release, if it has one, may start where it does. @throws DomainError `invalid` */
const requireRoomForWindow = async (
  { releases }: Pick<Stores, 'releases'>,
  release: Pick<Release, 'id' | 'projectId' | 'startsAt'>,
  pointer: string,
): Promise<void> => {
  if (release.startsAt === null) return;
  if ((await releases.countOtherWindows(release, release.startsAt)) < MOST_OTHER_WINDOWS) return;
  const message = `The windows of ${MOST_OTHER_WINDOWS} other releases end after that start: ship or cancel some, or start later.`;
  throw invalid([{ pointer, code: 'too-many', message }]);
};

/** Plans a release with the checklist of its project's template. @throws DomainError `not-found`, `forbidden`, `invalid`, `name-taken` */
export function createRelease(ports: ChangePorts, command: CreateRelease): Promise<Release> {
  return runProjectChange(ports, command, async ({ stores, project, now, newId, note }) => {
    const { name, startsAt, targetAt } = command;
    requireName(name);
    const id = newId();
    const unended = { shippedAt: null, canceledAt: null, note: null, externalId: null };
    const plan = { id, projectId: project.id, name, state: 'planned', startsAt, targetAt } as const;
    const release: Release = { ...plan, ...unended, version: 1, createdAt: now };
    await requireRoomForWindow(stores, release, '/starts_at');
    const template = await stores.checklists.template(project.id);
    await stores.releases.create(release, firstChecklist(template, id, now, newId));
    await note({
      teamId: project.teamId,
      action: 'release.create',
      resource: { type: 'release', id },
      detail: { name },
    });
    return release;
  });
}

interface EditRelease extends InRelease {
  readonly edit: ReleaseEdit;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/** Edits name, target and start of a release. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `release-state`, `invalid`, `name-taken` */
export function editRelease(ports: ChangePorts, command: EditRelease): Promise<Release> {
  return runReleaseChange(ports, command, async (changing) => {
    requireVersion(changing.release, command.version);
    const { release, now } = changing;
    requireName(command.edit.name ?? release.name, release.name);
    const edited = edit(release, command.edit);
    if (edited.state === 'active' && edited.startsAt !== release.startsAt) requireStarted(edited, 'active', now);
    if (edited.startsAt !== release.startsAt) await requireRoomForWindow(changing.stores, edited, '/starts_at');
    const next = await storeRelease(changing, edited);
    await noteRelease(changing, 'release.edit', { ...command.edit });
    return next;
  });
}

/** Parks the release inside a change that is under way. @throws DomainError `release-state` */
const parkWithin = async (changing: ChangeOfRelease): Promise<Release> => {
  const next = await storeRelease(changing, park(changing.release));
  await noteRelease(changing, 'release.park', {});
  return next;
};

/** Puts the active release back to planned; its window goes on. @throws DomainError `not-found`, `forbidden`, `release-state` */
export function parkRelease(ports: ChangePorts, command: InRelease): Promise<Release> {
  return runReleaseChange(ports, command, parkWithin);
}

type Transition = Extract<EventType, `release.${string}`>;

/**
 * Publishes the event of a transition that the change has just stored, with the release's report from now on. @param report the
 * frozen report; the live one is read unless given
 */
const publishTransition = async (
  { stores, project, release, now, newId }: ChangeOfRelease,
  type: Transition,
  report?: ReadinessReport,
): Promise<void> => {
  const [[inputs], [points]] = await Promise.all([
    stores.facts.factsFor([release.id]),
    stores.history.last([release.id], 1),
  ]);
  // The release was stored by this very transaction.
  if (inputs === undefined) throw new Error(`The release ${release.id} is gone although its project was held still.`);
  const told = report ?? liveReport(inputs, now, { nextSteps: false });
  await stores.events.append([
    {
      id: newId(),
      at: now,
      type,
      teamId: project.teamId,
      project: { id: project.id, name: project.name },
      release: { id: release.id, name: inputs.release.name },
      reading: readingOfReport(told),
      waived: waivedDecision(told.gate),
      before: readingOfPoint(points?.at(-1)),
    },
  ]);
};

interface ShipRelease extends InRelease {
  /** A note on the release; null: none. */
  readonly note: string | null;
}

export interface Shipped {
  readonly release: Release;
  readonly frozen: FrozenReport;
}

/**
 * Ships the release inside a change that is under way, and freezes its report with its window closed. It ships after
 * every record that its report counts: one may have come in the same millisecond, or by a clock that is ahead of this one.
 * @throws DomainError `release-state`
 */
const shipWithin = async (before: ChangeOfRelease, note: string | null): Promise<Shipped> => {
  const { stores } = before;
  // The facts of an open release hold how current its issues and sources are, the facts of a closed one hold the
  // window's end: so both are read.
  const [open] = await stores.facts.factsFor([before.release.id]);
  if (open === undefined) throw notFound('release');
  const now = Math.max(before.now, open.revision.changedAt + 1);
  const changing = { ...before, now };
  const release = await storeRelease(changing, ship(before.release, now, note));
  const [closed] = await stores.facts.factsFor([release.id]);
  if (closed === undefined) throw notFound('release');
  const { policy, waivers } = closed;
  const { issuesAsOf = null, issuesPending = false, sources } = open.facts;
  const known = { issuesAsOf, issuesPending, ...(sources === undefined ? {} : { sources }) };
  const facts: ReleaseFacts = { ...closed.facts, ...known };
  const { revision } = closed.revision;
  const frozen = { frozenAt: now, revision, report: reportAsOf({ ...closed, facts }, now), facts, policy, waivers };
  await stores.releases.freeze(release.id, frozen);
  const { score, gate } = frozen.report;
  await noteRelease(changing, 'release.ship', { score, decision: gate.decision, note });
  // The event is of now: one that is dated ahead of the clock would be delivered late.
  await publishTransition(before, 'release.shipped', frozen.report);
  return { release, frozen };
};

/**
 * Ships the active release even when the gate says hold or unknown; the decision is frozen with it. @throws DomainError
 * `not-found`, `forbidden`, `release-state`
 */
export function shipRelease(ports: ChangePorts, command: ShipRelease): Promise<Shipped> {
  return runReleaseChange(ports, command, (changing) => shipWithin(changing, command.note));
}

interface ActivateRelease extends InRelease {
  /** Whether to ship or park the release that is active now; null: the command is refused if there is one. */
  readonly current: 'ship' | 'park' | null;
  /** The release that the caller saw active; `current` applies to no other one. undefined: to the one that is active now. */
  readonly currentReleaseId?: string | undefined;
}

/**
 * Makes a release the active one, and ships or parks the present one in the same transaction. One that is active
 * already stays as it is.
 * @throws DomainError `not-found`, `forbidden`, `release-state`, `release-active` naming the present one where `current` is null
 * or about another one, `invalid` where it has no start and there is no room for its window
 */
export function activateRelease(ports: ChangePorts, command: ActivateRelease): Promise<Release> {
  return runReleaseChange(ports, command, async (before) => {
    const { stores, project, release } = before;
    if (activate(release, before.now) === release) return release;
    const present = await stores.releases.activeOf(project.id);
    const { current, currentReleaseId = present?.id } = command;
    if (present !== undefined && (current === null || currentReleaseId !== present.id)) throw alreadyActive(present);
    if (present !== undefined && current === 'park') await parkWithin({ ...before, release: present });
    const shipped =
      present !== undefined && current === 'ship' ? await shipWithin({ ...before, release: present }, null) : undefined;
    // The next release begins where the shipped one ends, so that their windows do not overlap.
    const changing = { ...before, now: shipped?.release.shippedAt ?? before.now };
    const next = activate(release, changing.now);
    if (next.startsAt !== release.startsAt) await requireRoomForWindow(stores, next, '');
    await storeRelease(changing, next);
    await noteRelease(changing, 'release.activate', {});
    await publishTransition(before, 'release.activated');
    return next;
  });
}

const alreadyActive = ({ id, name }: Release): DomainError =>
  new DomainError('release-active', `The release ${name} is active; ship or park it first, or say which by current.`, {
    active: { id, name },
  });

/** Gives a release up; ends its window. @throws DomainError `not-found`, `forbidden`, `release-state` */
export function cancelRelease(ports: ChangePorts, command: InRelease): Promise<Release> {
  return runReleaseChange(ports, command, async (changing) => {
    const next = await storeRelease(changing, cancel(changing.release, changing.now));
    await noteRelease(changing, 'release.cancel', {});
    await publishTransition(changing, 'release.canceled');
    return next;
  });
}
