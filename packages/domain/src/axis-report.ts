import type { Contribution } from './attribution.js';
import type { ExternalId } from './deployment.js';
import { DomainError, type Fault } from './errors.js';
import type { Page, PageRequest } from './page.js';
import { reportStaleFrom } from './readiness/axes/own.js';
import type { ReleaseFacts, ReportedFacts } from './readiness/facts.js';
import { isCounted, type OwnAxis, ownTitle } from './readiness/own-axis.js';
import type { Policy } from './readiness/policy.js';
import { type Release, requireOpen } from './release/release.js';
import { ALLOWED_CLOCK_LEAD, type Instant, type Interval } from './time.js';

/** One recorded report of an own axis. `measuredAt` is its effective time, never after `recordedAt`. */
export interface AxisReport extends ReportedFacts {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string;
  /** The name of the axis. */
  readonly axis: string;
  readonly recordedAt: Instant;
  /** Name of the person or key that recorded it. */
  readonly recordedBy: string;
  readonly external: ExternalId | null;
}

/** A report of an own axis as a pipeline or a person sends it; null: not given. */
export interface SentAxisReport extends Omit<ReportedFacts, 'measuredAt'> {
  readonly measuredAt: Instant | null;
  readonly external: ExternalId | null;
}

/** The members that order two reports of one axis: measuredAt, then recordedAt, then id. */
type AxisReportOrder = Pick<AxisReport, 'measuredAt' | 'recordedAt' | 'id'>;

/** Returns what the policy demands of the own axis of that name; undefined: the policy has no such axis. */
export const ownAxisNamed = ({ ownAxes = [] }: Policy, name: string): OwnAxis | undefined =>
  ownAxes.find((axis) => axis.name === name);

/** Returns a fault if the policy has no axis of that name, or if the service counts that axis itself. */
const nameFaults = (policy: Policy, name: string): readonly Fault[] => {
  const axis = ownAxisNamed(policy, name);
  if (axis !== undefined && !isCounted(axis)) return [];
  if (axis !== undefined)
    return [
      {
        pointer: 'axis',
        code: 'counted-axis',
        message: `The service counts the axis ${name} itself: it takes no reports.`,
      },
    ];
  const reported = (policy.ownAxes ?? []).filter((one) => !isCounted(one));
  const names = reported.map((one) => one.name).sort();
  const those = names.length === 0 ? 'it has none that is reported' : `it has ${names.join(', ')}`;
  return [
    { pointer: 'axis', code: 'unknown-axis', message: `The policy of the project has no axis ${name}: ${those}.` },
  ];
};

const shareFaults = ({ part, whole, explanation }: SentAxisReport): readonly Fault[] => {
  const faults: Fault[] = [];
  if (whole === 0)
    faults.push({
      pointer: '/whole',
      code: 'out-of-range',
      message: 'whole is at least 1; null says that the axis could not be measured.',
    });
  else if (part > (whole ?? 0))
    faults.push({
      pointer: '/part',
      code: 'exceeds-whole',
      message: whole === null ? 'part is 0 where whole is null.' : 'part exceeds whole.',
    });
  if (whole === null && explanation === null)
    faults.push({ pointer: '/explanation', code: 'required', message: 'Say why the axis could not be measured.' });
  return faults;
};

/** Everything wrong with a report of that axis; empty when nothing is. */
export const axisReportFaults = (
  policy: Policy,
  axis: string,
  report: SentAxisReport,
  now: Instant,
): readonly Fault[] => [
  ...nameFaults(policy, axis),
  ...shareFaults(report),
  ...(report.measuredAt !== null && report.measuredAt > now + ALLOWED_CLOCK_LEAD
    ? [
        {
          pointer: '/measured_at',
          code: 'in-future',
          message: "measured_at lies more than 5 minutes ahead of the service's clock.",
        },
      ]
    : []),
];

/**
 * Returns the release that was found for a report. A named one must be open; without a name it is the one that was
 * active when the axis was measured.
 * @throws DomainError `no-active-release`, `release-closed`
 */
export const releaseOfReport = (isNamed: boolean, found: Release | null): Release => {
  if (found === null)
    throw new DomainError(
      'no-active-release',
      'No release of this project is active; report to a release by its path.',
    );
  if (isNamed) requireOpen(found);
  return found;
};

/** Why a report does not count for its axis. */
export type AxisReportReason =
  | 'release_frozen'
  | 'superseded_by_newer_report'
  | 'stale_report'
  | 'not_in_policy'
  | 'counted_axis';

/** Whether `a` is later than `b`: measuredAt, then recordedAt, then id. */
export const isLaterReport = (a: AxisReportOrder, b: AxisReportOrder): boolean =>
  a.measuredAt !== b.measuredAt
    ? a.measuredAt > b.measuredAt
    : a.recordedAt !== b.recordedAt
      ? a.recordedAt > b.recordedAt
      : a.id > b.id;

/** What decides whether a report counts. */
interface AxisReportContext {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Pick<Release, 'id' | 'name' | 'shippedAt'>;
  readonly policy: Policy;
  /**
   * The latest report of the axis in the release, once that shipped the latest from before; undefined: there is none.
   */
  readonly latest: AxisReportOrder | undefined;
}

/** Why a report does not count at `now`; null: it counts. */
const axisReportReason = (
  report: AxisReport,
  { release, policy, latest }: AxisReportContext,
  now: Instant,
): AxisReportReason | null => {
  if (release.shippedAt !== null && report.recordedAt >= release.shippedAt) return 'release_frozen';
  if (latest !== undefined && isLaterReport(latest, report)) return 'superseded_by_newer_report';
  const demands = ownAxisNamed(policy, report.axis);
  if (demands === undefined) return 'not_in_policy';
  if (isCounted(demands)) return 'counted_axis';
  const staleFrom = reportStaleFrom(report, demands);
  return staleFrom !== null && now >= staleFrom ? 'stale_report' : null;
};

/** A report with its receipt: the release it is of, and why it does not count there (null: it counts). */
export interface AxisReportView {
  readonly report: AxisReport;
  readonly project: { readonly id: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
  readonly reason: AxisReportReason | null;
  /** Set when a single report is read and counts; null otherwise. */
  readonly contribution: Contribution | null;
}

/** The view of a report at `now`; of a shipped release, by the policy and at the moment of its shipping. */
export const axisReportView = (report: AxisReport, context: AxisReportContext, now: Instant): AxisReportView => {
  const { project, release } = context;
  return {
    report,
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name },
    reason: axisReportReason(report, context, now),
    contribution: null,
  };
};

/** Returns the facts without the report of an own axis that counts; the report before it takes its place. */
export const withoutAxisReport = (
  facts: ReleaseFacts,
  { axis }: Pick<AxisReport, 'axis'>,
  before: AxisReport | undefined,
): ReleaseFacts => {
  const reports = new Map(Object.entries(facts.ownAxes ?? {}));
  reports.delete(axis);
  if (before !== undefined) {
    const { part, whole, explanation, url, measuredAt } = before;
    reports.set(axis, { part, whole, explanation, url, measuredAt });
  }
  return { ...facts, ownAxes: Object.fromEntries(reports) };
};

/** A report in short: "Security: 48 of 50". */
export const axisReportTitle = ({ axis, part, whole }: AxisReport): string =>
  `${ownTitle({ name: axis })}: ${whole === null ? 'not measurable' : `${part} of ${whole}`}`;

/** Reports of one axis of a project: all of them, those of one release, or those measured in an interval. */
export interface AxisReportFilter {
  readonly projectId: string;
  readonly axis: string;
  readonly releaseId?: string;
  readonly measured?: Interval;
}

/** Asks for the latest report of one axis in a release. */
export interface LatestReportLookup {
  readonly projectId: string;
  readonly releaseId: string;
  readonly axis: string;
  /** Asks for the latest report before this one; null: the latest of all. */
  readonly before: AxisReportOrder | null;
}

/** Stores reports of own axes. They are never changed, and deleted only for their age. */
export interface AxisReportStore {
  /** Adds reports whose external ids are new, and marks their releases as changed at `recordedAt`. A constant number of statements. */
  add(reports: readonly AxisReport[]): Promise<void>;
  /** In the order asked; undefined where there is none. One query. */
  byIds(reportIds: readonly string[]): Promise<readonly (AxisReport | undefined)[]>;
  /** The reports of that axis of the project with these external ids, in the order asked; undefined where there is none. One query. */
  byExternalIds(
    projectId: string,
    axis: string,
    externalIds: readonly string[],
  ): Promise<readonly (AxisReport | undefined)[]>;
  /** Latest first: measuredAt, then recordedAt, then id. */
  page(filter: AxisReportFilter, page: PageRequest): Promise<Page<AxisReport>>;
  /** When the latest report of each project, of any axis and release, was recorded, in the order asked; undefined: it has none. */
  lastRecorded(projectIds: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /**
   * The latest report for each lookup, in the order asked; undefined where there is none. In a shipped release only
   * reports recorded before it shipped are considered. One query for any number.
   */
  latest(lookups: readonly LatestReportLookup[]): Promise<readonly (AxisReport | undefined)[]>;
}
