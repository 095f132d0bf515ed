import { notFound } from '../errors.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import { reportAsOf } from '../release/live-report.js';
import type { Release } from '../release/release.js';
import { ship } from '../release/release-transition.js';
import type { ChangePorts } from './change.js';
import { changeRelease, type InRelease, noteRelease, type ReleaseChange, storeRelease } from './in-release.js';
import { tellTransition } from './tell-transition.js';

export interface ShipRelease extends InRelease {
  /** What to say about it; null: nothing. */
  readonly note: string | null;
}

export interface Shipped {
  readonly release: Release;
  readonly frozen: FrozenReport;
}

/** Ships the release inside a change that is under way, and freezes what is true with its window closed. @throws DomainError `release-state` */
export const shipWithin = async (changing: ReleaseChange, note: string | null): Promise<Shipped> => {
  const { stores, now } = changing;
  // Only an open release says how well its issues are known and what its sources did, and only a closed one has its window's end.
  const [open] = await stores.facts.factsFor([changing.release.id]);
  const release = await storeRelease(changing, ship(changing.release, now, note));
  const [closed] = await stores.facts.factsFor([release.id]);
  if (open === undefined || closed === undefined) throw notFound('release');
  const { policy, waivers } = closed;
  const { issuesAsOf = null, issuesPending = false, sources } = open.facts;
  const known = { issuesAsOf, issuesPending, ...(sources === undefined ? {} : { sources }) };
  const facts: ReleaseFacts = { ...closed.facts, ...known };
  const { revision } = closed.revision;
  const frozen = { frozenAt: now, revision, report: reportAsOf({ ...closed, facts }, now), facts, policy, waivers };
  await stores.releases.freeze(release.id, frozen);
  const { score, gate } = frozen.report;
  await noteRelease(changing, 'release.ship', { score, decision: gate.decision, note });
  await tellTransition(changing, 'release.shipped', frozen.report);
  return { release, frozen };
};

/** Ships the active release, whatever the gate says; the decision is frozen with it. Role member. @throws DomainError `not-found`, `forbidden`, `release-state` */
export const shipRelease =
  (ports: ChangePorts) =>
  (command: ShipRelease): Promise<Shipped> =>
    changeRelease(ports, command, 'member', (changing) => shipWithin(changing, command.note));
