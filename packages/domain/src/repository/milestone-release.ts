import { plainName } from '../names.js';
import { edit, isClosed, type Release } from '../release/release.js';
import type { Instant } from '../time.js';
import { type HostMilestone, lineOf } from './host.js';
import type { LinkSettings } from './link.js';

/** The change that a milestone requires. */
export type MilestonePlan =
  /** A release that is not there yet. */
  | { readonly kind: 'create'; readonly name: string; readonly targetAt: Instant | null }
  /** The milestone's release, or one of its name from now on, as it becomes. */
  | { readonly kind: 'adopt' | 'edit' | 'let_go'; readonly release: Release }
  /** The name belongs to another milestone's release, which may still give it away. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'nothing' };

const NOTHING: MilestonePlan = { kind: 'nothing' };

const isChosen = (milestone: HostMilestone, chosen: LinkSettings['milestones'], known: boolean): boolean => {
  if (chosen === 'all') return known || milestone.state === 'open';
  return chosen !== 'none' && chosen.includes(milestone.number);
};

/** The name of a milestone's release. */
export const releaseName = ({ title, number }: Pick<HostMilestone, 'title' | 'number'>): string =>
  plainName(lineOf(title)).trim() || `#${number}`;

const holdsUp = (named: Release | undefined): boolean =>
  named !== undefined && named.externalId !== null && !isClosed(named);

/** A milestone without a due date says nothing about when its release is wanted. */
const targetOf = ({ dueAt }: HostMilestone, { targetAt }: Release): Release['targetAt'] => dueAt ?? targetAt;

const planKnown = (milestone: HostMilestone, own: Release, releases: readonly Release[]): MilestonePlan => {
  const wanted = releaseName(milestone);
  const taken = releases.find((other) => other.id !== own.id && other.name === wanted);
  const name = taken === undefined ? wanted : own.name;
  const targetAt = targetOf(milestone, own);
  if (name !== own.name || targetAt !== own.targetAt) return { kind: 'edit', release: edit(own, { name, targetAt }) };
  return holdsUp(taken) ? { kind: 'wait' } : NOTHING;
};

const planNew = (milestone: HostMilestone, externalId: string, releases: readonly Release[]): MilestonePlan => {
  const name = releaseName(milestone);
  const named = releases.find((release) => release.name === name);
  if (named === undefined) return { kind: 'create', name, targetAt: milestone.dueAt };
  if (isClosed(named)) return NOTHING;
  if (holdsUp(named)) return { kind: 'wait' };
  return { kind: 'adopt', release: { ...edit(named, { targetAt: targetOf(milestone, named) }), externalId } };
};

/**
 * Plans the change that a milestone requires in the project's releases. Closed releases stay as they are, and closing a
 * milestone ships nothing. A release whose milestone is no longer chosen stays in the project and follows no milestone.
 */
export const planMilestone = (
  milestone: HostMilestone,
  externalId: string,
  chosen: LinkSettings['milestones'],
  releases: readonly Release[],
): MilestonePlan => {
  const own = releases.find((release) => release.externalId === externalId);
  if (own !== undefined && isClosed(own)) return NOTHING;
  if (isChosen(milestone, chosen, own !== undefined))
    return own === undefined ? planNew(milestone, externalId, releases) : planKnown(milestone, own, releases);
  if (own === undefined) return NOTHING;
  return { kind: 'let_go', release: { ...own, externalId: null, version: own.version + 1 } };
};

/** A milestone with its name here. */
interface NamedMilestone {
  readonly milestone: HostMilestone;
  readonly name: string;
}

/**
 * A release in a ring of milestones that each wait for the name of the next one's release, such as two that swapped their
 * titles: one of them needs a temporary name first. undefined: there is no ring.
 */
export const releaseInNameRing = (
  milestones: readonly NamedMilestone[],
  chosen: LinkSettings['milestones'],
  releases: readonly Release[],
): Release | undefined => {
  const holders = new Map<string, string | undefined>();
  for (const { milestone, name } of milestones) {
    const own = releases.find(({ externalId }) => externalId === name);
    if (own === undefined || planMilestone(milestone, name, chosen, releases).kind !== 'wait') continue;
    holders.set(own.id, releases.find((release) => release.name === releaseName(milestone))?.id);
  }
  return releases.find(({ id }) => {
    let holder = holders.get(id);
    for (let steps = 1; holder !== undefined && holder !== id && steps < holders.size; steps += 1)
      holder = holders.get(holder);
    return holder === id;
  });
};
