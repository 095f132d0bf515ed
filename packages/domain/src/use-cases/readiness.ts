import { requireInSight } from '../access/principal.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Lookups, Ports, Stores } from '../ports.js';
import { type Policy, recountedFacts, sameCounting } from '../readiness/policy.js';
import type { ReadinessReport } from '../readiness/report.js';
import {
  changedPolicy,
  type ReportBasis,
  type WhatIfAnswer,
  type WhatIfChanges,
  whatIf,
} from '../readiness/what-if.js';
import { liveReport, type ReleaseInputs, readsUntil } from '../release/facts.js';
import {
  inputsOfPoint,
  type KnownReport,
  knownFrozenReport,
  knownReport,
  type RecordedPoint,
} from '../release/history.js';
import type { Release } from '../release/release.js';
import type { Instant } from '../time.js';
import { findProject, type ProjectPath, type ReleasePath } from './change.js';

/** All that the report of the release in the path is made of. @throws DomainError `not-found` */
export async function findReleaseInputs(
  { facts }: Pick<Stores, 'facts'>,
  { principal, teamId, projectId, releaseId }: ReleasePath,
): Promise<ReleaseInputs> {
  requireInSight(principal, teamId);
  const [inputs] = await facts.factsFor([releaseId]);
  if (inputs?.project.id === projectId && inputs.project.teamId === teamId) return inputs;
  throw notFound('release');
}

export interface ReadReadiness extends ProjectPath {
  /** null: the project's active release. */
  readonly releaseId: string | null;
  /** `live`: as it reads now, shipped or not; `frozen`: as it shipped; null: frozen once it shipped. */
  readonly view: 'live' | 'frozen' | null;
}

/** A release's report with whose it is and how long it stays true. */
export interface Readiness {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Release;
  readonly report: ReadinessReport;
  /** The inputs of the report besides its `asOf`. */
  readonly basis: Pick<ReleaseInputs, 'facts' | 'policy' | 'waivers'>;
  /** null: a live report. */
  readonly frozenAt: Instant | null;
  /** The release's revision the report was read at. */
  readonly revision: number;
  /** The first moment at which it changes by time alone; null: it changes by nothing but a new revision. */
  readonly until: Instant | null;
}

/**
 * The readiness report of a release: frozen once it shipped, else live.
 * @throws DomainError `not-found`, also for the frozen report of a release that has not shipped; `no-active-release` when none is named and none is active
 */
export async function readReadiness(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  command: ReadReadiness,
): Promise<Readiness> {
  const inputs = await inputsOf(stores, command);
  const { release, project, revision } = inputs;
  const whose = { project: { id: project.id, name: project.name }, release, revision: revision.revision };
  const wantsFrozen = release.state === 'shipped' && command.view !== 'live';
  const frozen = wantsFrozen ? await stores.releases.frozen(release.id) : undefined;
  if (frozen !== undefined)
    return { ...whose, report: frozen.report, basis: frozen, frozenAt: frozen.frozenAt, until: null };
  if (command.view === 'frozen') throw notFound('frozen report');
  const now = clock();
  const report = liveReport(inputs, now);
  return { ...whose, report, basis: inputs, frozenAt: null, until: readsUntil(inputs, now) };
}

const inputsOf = async (stores: Stores, { releaseId, ...path }: ReadReadiness): Promise<ReleaseInputs> =>
  findReleaseInputs(stores, { ...path, releaseId: releaseId ?? (await activeReleaseId(stores, path)) });

const activeReleaseId = async (stores: Stores, path: ProjectPath): Promise<string> => {
  await findProject(stores, path);
  const active = await stores.releases.activeOf(path.projectId);
  if (active === undefined) throw new DomainError('no-active-release', 'No release of this project is active.');
  return active.id;
};

const unknown = (sentence: string): DomainError => new DomainError('not-found', sentence, { what: 'report' });

/** @throws DomainError `invalid` for a moment that has not come */
export function requirePast(name: string, at: Instant, now: Instant): void {
  if (at > now) throw invalid([{ pointer: name, code: 'future', message: `${name} has not come yet.` }]);
}

/** How long after a change its point may lie, in milliseconds: twice the second to which points are told apart. */
const LONGEST_POINT_LAG = 2_000;

/**
 * Returns what to show for a new release at a moment before its first point: that point, or `unrecorded` while there is
 * none, which means the present inputs. undefined: the release was not made yet, or its first point lies more than
 * `LONGEST_POINT_LAG` after the moment.
 */
const firstPointAfter = async (
  history: Stores['history'],
  { release, revision }: ReleaseInputs,
  at: Instant,
): Promise<RecordedPoint | 'unrecorded' | undefined> => {
  if (at < release.createdAt) return undefined;
  const [first] = (await history.page(release.id, { limit: 1, after: null })).rows;
  if ((first?.at ?? revision.changedAt) - at > LONGEST_POINT_LAG) return undefined;
  return first === undefined ? 'unrecorded' : history.pointAt(release.id, first.at);
};

/**
 * The report of a release as it was known at a past moment. After the last change it is computed from the inputs, even
 * if the trend has no point yet; before that from the last point up to the moment.
 * @throws DomainError `not-found` before the release was made or before its first point, and for a point without a
 * snapshot
 */
export async function knownAt(
  { history, releases }: Pick<Stores, 'history' | 'releases'>,
  inputs: ReleaseInputs,
  at: Instant,
): Promise<KnownReport> {
  const { release, revision } = inputs;
  const frozen = release.state === 'shipped' ? await releases.frozen(release.id) : undefined;
  const unchanged = revision.changedAt <= at;
  const point = unchanged
    ? 'unrecorded'
    : ((await history.pointAt(release.id, at)) ?? (await firstPointAfter(history, inputs, at)));
  const then = point === 'unrecorded' ? inputs : point && inputsOfPoint(inputs, point);
  // The frozen report of a shipped release never changes; only names can have changed since.
  if (frozen !== undefined && (frozen.frozenAt <= at || then?.release.state === 'shipped'))
    return knownFrozenReport(then ?? inputs, frozen);
  if (then === undefined) throw unknown('Nothing had been recorded of the release at that moment.');
  if (then === null) throw unknown('Of that moment only the scores were kept, not what they were computed from.');
  return knownReport(then, at);
}

interface ReadReadinessAt extends ReleasePath {
  readonly at: Instant;
}

/**
 * The report of a release as it was known at a past moment, told apart to the second: with the facts, the policy and the
 * waivers of that time, and frozen where it had shipped by then.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come
 */
export async function readReadinessAt(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { at, ...path }: ReadReadinessAt,
): Promise<KnownReport> {
  const inputs = await findReleaseInputs(stores, path);
  requirePast('as_of', at, clock());
  return knownAt(stores, inputs, at);
}

interface ReadWhatIf extends ReleasePath {
  readonly changes: WhatIfChanges;
}

/** A what-if answer with its project and release. */
export interface WhatIfReading extends WhatIfAnswer {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Release;
}

/**
 * Computes the report of a release with changed facts or demands; a shipped release starts from its frozen report. Records are
 * counted anew when environments, the way to verify, or what own axes are counted from change.
 * @throws DomainError `not-found`, `invalid`
 */
export async function readWhatIf(
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { changes, ...path }: ReadWhatIf,
): Promise<WhatIfReading> {
  const inputs = await findReleaseInputs(stores, path);
  const { release, project } = inputs;
  const basis = await basisOf({ stores, clock }, inputs);
  const rules = changedPolicy(basis.policy, changes.policy ?? {});
  const [recounted] = sameCounting(basis.policy, rules) ? [] : await stores.facts.factsUnder([release.id], rules);
  const counted = recounted && recountedFacts(basis.facts, basis.policy, recounted, rules);
  const { answer, faults } = whatIf(basis, changes, counted);
  if (answer === null) throw invalid(faults);
  return { ...answer, project: { id: project.id, name: project.name }, release };
}

const basisOf = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  { release, facts, policy, waivers }: ReleaseInputs,
): Promise<ReportBasis> => {
  const frozen = release.state === 'shipped' ? await stores.releases.frozen(release.id) : undefined;
  if (frozen === undefined) return { facts, policy: policy.policy, waivers, asOf: clock() };
  return { facts: frozen.facts, policy: frozen.policy.policy, waivers: frozen.waivers, asOf: frozen.frozenAt };
};

/**
 * Returns what a release is judged by: for a shipped one what its frozen report was computed from, as of then. One
 * coalesced read, two when it has shipped.
 */
export async function judgedInputs(
  lookups: Pick<Lookups, 'releaseInputs' | 'frozen'>,
  releaseId: string,
): Promise<ReleaseInputs | undefined> {
  const inputs = await lookups.releaseInputs(releaseId);
  if (inputs?.release.state !== 'shipped') return inputs;
  const frozen = await lookups.frozen(releaseId);
  if (frozen === undefined) return inputs;
  const { facts, policy, waivers, frozenAt } = frozen;
  return { ...inputs, facts, policy, waivers, revision: { ...inputs.revision, changedAt: frozenAt } };
}

interface JudgedBy {
  readonly policy: Policy;
  readonly at: Instant;
}

/**
 * The policy and the moment by which the records of a release are judged: those of its frozen report once it shipped, else the
 * present ones. @throws DomainError `not-found`
 */
export async function judgedBy(
  { stores, lookups, clock }: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  { projectId, releaseId }: { readonly projectId: string; readonly releaseId: string },
): Promise<JudgedBy> {
  const frozen = await lookups.frozen(releaseId);
  if (frozen !== undefined) return { policy: frozen.policy.policy, at: frozen.frozenAt };
  const version = await stores.policies.current(projectId);
  if (version === undefined) throw notFound('project');
  return { policy: version.policy, at: clock() };
}
