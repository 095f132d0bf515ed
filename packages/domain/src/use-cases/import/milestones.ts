import { firstChecklist } from '../../checklist.js';
import type { PageKey } from '../../page.js';
import type { Stores } from '../../ports.js';
import { edit, type Release } from '../../release/release.js';
import type { HostMilestone } from '../../repository/host.js';
import { type ImportCheckpoint, type ImportState, pendingReleases } from '../../repository/import-state.js';
import { type MilestonePlan, planMilestone, releaseInNameRing } from '../../repository/imported.js';
import { hostExternalId } from '../../repository/link.js';
import { completedStage, hostReadRequest, markAfterPage, type ReadStage, type StoringStep } from './step.js';

/** All releases of a project, newest first. */
export async function releasesOf(
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
): Promise<readonly Release[]> {
  const all: Release[] = [];
  let after: PageKey | null = null;
  do {
    const page = await releases.page({ projectId }, { limit: 200, after });
    all.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return all;
}

type Planned = Extract<MilestonePlan, { readonly kind: 'create' }>;

const create = async (
  { stores, project, now, newId }: StoringStep,
  { name, targetAt }: Planned,
  externalId: string,
): Promise<Release> => {
  const id = newId();
  const plan = { id, projectId: project.id, name, state: 'planned', startsAt: null, targetAt, externalId } as const;
  const release: Release = { ...plan, shippedAt: null, canceledAt: null, note: null, version: 1, createdAt: now };
  const template = await stores.checklists.template(project.id);
  await stores.releases.create(release, firstChecklist(template, id, now, newId));
  return release;
};

const replace = async ({ stores, now }: StoringStep, release: Release): Promise<Release> => {
  if (await stores.releases.replace(release, now)) return release;
  throw new Error(`The release ${release.id} changed although its project was held still.`);
};

const withRelease = (releases: readonly Release[], next: Release): readonly Release[] => [
  ...releases.filter(({ id }) => id !== next.id),
  next,
];

interface Stored {
  /** The kinds of plans that were made. */
  readonly kinds: ReadonlySet<MilestonePlan['kind']>;
  readonly pendingReleaseIds: ImportState['pendingReleaseIds'];
}

/**
 * Stores the releases of known milestones before those of new ones, and repeats while a rename frees a name that
 * another milestone waits for.
 */
const store = async (
  step: StoringStep,
  milestones: readonly HostMilestone[],
  pending: ImportState['pendingReleaseIds'],
): Promise<Stored> => {
  const { link, stores } = step;
  const before = await releasesOf(stores, link.projectId);
  let releases = before;
  const all = milestones.map((milestone) => ({ milestone, externalId: hostExternalId(link.host, milestone.id) }));
  const isKnown = ({ externalId }: { readonly externalId: string }) =>
    releases.some((release) => release.externalId === externalId);
  const ordered = [...all.filter(isKnown), ...all.filter((each) => !isKnown(each))];
  const made = new Set<MilestonePlan['kind']>();
  let left: Set<MilestonePlan['kind']>;
  do {
    left = new Set();
    for (const { milestone, externalId } of ordered) {
      const plan = planMilestone(milestone, externalId, link.settings.milestones, releases);
      left.add(plan.kind);
      if (plan.kind === 'create') releases = withRelease(releases, await create(step, plan, externalId));
      else if ('release' in plan) releases = withRelease(releases, await replace(step, plan.release));
    }
    const held = left.has('edit') ? undefined : releaseInNameRing(ordered, link.settings.milestones, releases);
    if (held !== undefined) {
      // The temporary name is replaced below, unless another milestone takes the name that this release waits for.
      releases = withRelease(releases, await replace(step, edit(held, { name: held.id })));
      left.add('edit');
    }
    for (const kind of left) if (kind !== 'wait') made.add(kind);
  } while (left.has('edit'));
  if (left.has('wait')) made.add('wait');
  return { kinds: made, pendingReleaseIds: pendingReleases(pending, before, releases) };
};

/**
 * The marks without the one of issues, so that all issues are read again: releases follow other milestones now, and
 * their issues did not change at the host.
 */
const withoutIssues = ({ issues: _, ...marks }: ImportCheckpoint['marks']): ImportCheckpoint['marks'] => marks;

/** Makes releases of the chosen milestones, and follows their names and due dates. */
export const importMilestones: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const reading = await step.ask((host, access) =>
    host.milestones(access, link.repository, hostReadRequest(checkpoint, 'milestones')),
  );
  if (reading.unchanged) return { ...completedStage(step), budget: reading.budget };
  return {
    budget: reading.budget,
    rows: { milestones: reading.rows.length },
    store: async (storing) => {
      const { kinds, pendingReleaseIds } = await store(storing, reading.rows, state.pendingReleaseIds);
      const mark = markAfterPage(checkpoint, 'milestones', reading, []);
      const follows = kinds.has('create') || kinds.has('adopt') || kinds.has('detach');
      return {
        next: reading.next,
        // A name that is still taken may be free the next time, although no milestone has changed.
        reading: kinds.has('wait') ? { ...mark, validator: null } : mark,
        marks: follows ? withoutIssues(checkpoint.marks) : checkpoint.marks,
        pendingReleaseIds,
      };
    },
  };
};
