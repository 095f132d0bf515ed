import { invalid } from '../errors.js';
import type { Page, PageKey } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { preparedAxes } from '../readiness/own-axis.js';
import {
  DEFAULT_POLICY,
  type Policy,
  type PolicyVersion,
  policyFaults,
  recountedFacts,
  sameCounting,
} from '../readiness/policy.js';
import type { FrozenReport } from '../readiness/report.js';
import { type PolicyPreview, previewPolicy, type RecordedRelease, type ReplayedRelease } from '../readiness/what-if.js';
import type { ReleaseInputs } from '../release/facts.js';
import type { Release } from '../release/release.js';
import type { Instant } from '../time.js';
import {
  type ChangePorts,
  findProject,
  type InProject,
  type ProjectPath,
  runProjectChange,
  versionMismatch,
} from './change.js';

interface ChangePolicy extends InProject {
  /** An optional member that is missing keeps its present value; an empty list of own axes removes them. */
  readonly policy: Policy;
  /** The version the caller saw. */
  readonly version: number;
}

/**
 * Fills in what the sent policy leaves out from the present one, so that a program that does not know a rule never
 * drops it by saving.
 */
const completed = (sent: Policy, { stabilityBound, silenceHours, ownAxes: now }: Policy): Policy => {
  const { ownAxes, ...named } = {
    ...(stabilityBound === undefined ? {} : { stabilityBound }),
    ...(silenceHours === undefined ? {} : { silenceHours }),
    ownAxes: now,
    ...sent,
  };
  return ownAxes === undefined || ownAxes.length === 0 ? named : { ...named, ownAxes: preparedAxes(ownAxes, now) };
};

/** The policy that is sent, completed by the present one. */
const completedPolicy = async (
  { policies }: Pick<Stores, 'policies'>,
  projectId: string,
  sent: Policy,
): Promise<Policy> => completed(sent, (await policies.current(projectId))?.policy ?? DEFAULT_POLICY);

/** Gives a project another policy, as its next version. @throws DomainError `not-found`, `forbidden`, `invalid`, `version-mismatch` */
export function changePolicy(ports: ChangePorts, command: ChangePolicy): Promise<PolicyVersion> {
  return runProjectChange(ports, command, async ({ stores, project, now, by, note }) => {
    const policy = await completedPolicy(stores, project.id, command.policy);
    const faults = policyFaults(policy);
    if (faults.length > 0) throw invalid(faults);
    const version = command.version + 1;
    const next = { policy, version, changedAt: now, changedBy: by.principal.name };
    if (!(await stores.policies.add(project.id, next)))
      throw versionMismatch(await stores.policies.current(project.id));
    const resource = { type: 'project', id: project.id };
    await note({ teamId: project.teamId, action: 'policy.change', resource, detail: { version } });
    return next;
  });
}

/** Most releases in each list of a preview. */
export const LISTED_RELEASES = 500;

/** How many releases are read at a time, which bounds the memory for projects with many releases. */
const PORTION = 200;

const STATES = ['planned', 'active', 'shipped'] as const;

interface ReadPolicyPreview extends ProjectPath {
  /** The policy as `changePolicy` takes it. */
  readonly policy: Policy;
}

/** The preview of all releases; each list holds the first 500. */
export interface PolicyPreviewReading extends PolicyPreview<Release> {
  /** How many releases were judged again. */
  readonly considered: number;
  /** How many would have been held, listed or not. */
  readonly heldCount: number;
}

/**
 * Reads which decisions another policy would change, over all releases of a project that are not canceled. Open
 * releases are judged by the present facts and compared with the present policy, shipped ones by what was frozen and
 * compared with the policy they shipped under. Where the other policy counts other environments, other test runs or
 * other records for own axes, those are counted anew within the window of the release, those that came late as well.
 * Releases whose decision flips are listed first, then the others, each newest first.
 * @throws DomainError `not-found`, `invalid`
 */
export async function readPolicyPreview(
  { stores, clock, slices }: Pick<Ports, 'stores' | 'clock' | 'slices'>,
  { policy, ...path }: ReadPolicyPreview,
): Promise<PolicyPreviewReading> {
  await findProject(stores, path);
  const next = await completedPolicy(stores, path.projectId, policy);
  const faults = policyFaults(next);
  if (faults.length > 0) throw invalid(faults);
  const now = clock();
  const lists = previewLists();
  const wanted = { projectId: path.projectId, states: STATES };
  let after: PageKey | null = null;
  do {
    const page: Page<Release> = await stores.releases.page(wanted, { limit: PORTION, after });
    const recorded = await recordedReleases(stores, page.rows, next, now);
    await slices.map(recorded, (one) => lists.add(previewPolicy([one], next)));
    after = page.next;
  } while (after !== null);
  return lists.read();
}

/** Gathers previews, newest first, into one that lists no more than 500. */
const previewLists = () => {
  const flipping: ReplayedRelease<Release>[] = [];
  const others: ReplayedRelease<Release>[] = [];
  const wouldHaveHeld: Release[] = [];
  const counts = { flips: 0, considered: 0, heldCount: 0 };
  const keep = <Row>(list: Row[], rows: readonly Row[]): void => {
    list.push(...rows.slice(0, LISTED_RELEASES - list.length));
  };
  return {
    add: (preview: PolicyPreview<Release>): void => {
      counts.considered += preview.releases.length;
      counts.flips += preview.flips;
      counts.heldCount += preview.wouldHaveHeld.length;
      keep(
        flipping,
        preview.releases.filter(({ flips }) => flips),
      );
      keep(
        others,
        preview.releases.filter(({ flips }) => !flips),
      );
      keep(wouldHaveHeld, preview.wouldHaveHeld);
    },
    read: (): PolicyPreviewReading => ({
      releases: [...flipping, ...others].slice(0, LISTED_RELEASES),
      wouldHaveHeld,
      ...counts,
    }),
  };
};

/** The releases with all they are judged by, in four queries at most. */
const recordedReleases = async (
  stores: Ports['stores'],
  releases: readonly Release[],
  next: Policy,
  now: Instant,
): Promise<readonly RecordedRelease<Release>[]> => {
  const listed = releases.map(({ id }) => id);
  const [found, frozen] = await Promise.all([stores.facts.factsFor(listed), stores.releases.frozenOf(listed)]);
  const frozenBy = new Map(listed.map((id, index) => [id, frozen[index]]));
  // A release may have been canceled since it was listed.
  const allInputs = found.filter((one) => one !== undefined).filter(({ release }) => release.state !== 'canceled');
  const ids = allInputs.map(({ release }) => release.id);
  const countsAlike = allInputs.every(({ policy }) => sameCounting(policy.policy, next));
  const recounted = countsAlike ? [] : await stores.facts.factsUnder(ids, next);
  return allInputs.map((inputs, index) =>
    recordedRelease(inputs, frozenBy.get(inputs.release.id), recounted[index] ?? inputs.facts, next, now),
  );
};

const recordedRelease = (
  inputs: ReleaseInputs,
  frozen: FrozenReport | undefined,
  recounted: ReleaseFacts,
  next: Policy,
  now: Instant,
): RecordedRelease<Release> => {
  const { release } = inputs;
  const shipped = release.state === 'shipped';
  const { facts, policy, waivers } = (shipped ? frozen : undefined) ?? inputs;
  return {
    release,
    facts,
    factsUnderNext: recountedFacts(facts, policy.policy, recounted, next),
    policy: policy.policy,
    waivers,
    asOf: shipped ? (frozen?.frozenAt ?? now) : now,
    shipped,
    failedDeployments: recounted.stability.failed,
  };
};
