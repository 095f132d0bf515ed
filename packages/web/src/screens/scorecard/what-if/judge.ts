import type { Policy, ReadinessReport, Waiver, WhatIfRequest } from '@shipworthy/client';
import {
  changedPolicy,
  changesOfRequest,
  DEFAULT_POLICY,
  factsOfVerdict,
  policyChangesOf,
  type QualityFacts,
  type ReleaseFacts,
  type ReportedFacts,
  type WhatIf,
  waiverOfVerdict,
  whatIf,
} from '@shipworthy/domain/readiness';

/** The inputs by which a release is judged, as they were read. */
export interface WhatIfInputs {
  readonly report: ReadinessReport;
  readonly policy: Policy;
  /** All waivers of the release. */
  readonly waivers: readonly Waiver[];
}

/** Judges in the browser by the server's engine, as of the report's `as_of`: the reader's own clock decides nothing. */
export const judge = ({ report, policy, waivers }: WhatIfInputs, facts: ReleaseFacts, request: WhatIfRequest): WhatIf =>
  whatIf(
    {
      facts,
      policy: changedPolicy(DEFAULT_POLICY, policyChangesOf(policy)),
      waivers: waivers.map((waiver) => waiverOfVerdict(waiver, '')),
      asOf: Date.parse(report.as_of),
    },
    changesOfRequest(request),
  );

const NO_BUGS = { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };

/** The facts a report was computed from, for the engine. A report does not say which sources are expected to report. */
export const factsOfReport = (report: ReadinessReport): ReleaseFacts => {
  const scope = readingOf(report, 'scope');
  const ops = readingOf(report, 'ops')?.facts;
  const { facts: run, set_aside: setAside } = readingOf(report, 'verification') ?? {};
  const deployments = readingOf(report, 'stability')?.facts;
  return factsOfVerdict({
    scope: scope?.facts ?? { done: 0, total: 0 },
    quality: readingOf(report, 'quality')?.facts ?? NO_BUGS,
    ops: ops ?? { done: 0, total: 0, open_items: [] },
    verification: run ?? null,
    stability: deployments ?? { succeeded: 0, failed: 0, in_progress: 0 },
    issues_as_of: scope?.as_of ?? null,
    issues_pending: isBeingImported(scope),
    ...(setAside === undefined ? {} : { test_run_set_aside: setAside }),
    own_axes: (report.own_axes ?? []).flatMap(({ axis, facts }) => (facts === undefined ? [] : [{ axis, ...facts }])),
  });
};

type Reading<Axis extends string> = Extract<ReadinessReport['axes'][number], { readonly axis: Axis }>;

const readingOf = <Axis extends string>({ axes }: ReadinessReport, axis: Axis): Reading<Axis> | undefined =>
  axes.find((reading): reading is Reading<Axis> => reading.axis === axis);

const isBeingImported = (reading: Reading<'scope'> | undefined): boolean =>
  reading?.state === 'unmeasured' && reading.cause === 'issues_being_imported';

/** The numbers that can be moved. */
export interface Amounts {
  readonly done: number;
  readonly resolved: number;
  /** How many of the open critical bugs are resolved. */
  readonly critical: number;
  readonly items: number;
  readonly passed: number;
  /** Tests of the run; 0: no run. */
  readonly tests: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Parts in an assumed report of own axes, by name; those left out stay as they are. */
  readonly own: ReadonlyMap<string, number>;
}

/** The whole of an assumed report where no report says how many parts there are. */
const ASSUMED_WHOLE = 100;

/** The latest report of an own axis; undefined: there is none. */
const reportOf = ({ ownAxes = {} }: ReleaseFacts, axis: string): ReportedFacts | undefined =>
  Object.hasOwn(ownAxes, axis) ? ownAxes[axis] : undefined;

/** How many parts an own axis has: as its latest report says, else 100. */
export const wholeOf = (facts: ReleaseFacts, axis: string): number => reportOf(facts, axis)?.whole ?? ASSUMED_WHOLE;

/** How many parts the latest report of an own axis counts; 0 where there is none. */
export const partOf = (facts: ReleaseFacts, axis: string): number => reportOf(facts, axis)?.part ?? 0;

type Demands = NonNullable<WhatIfRequest['policy']>;

/**
 * The what-if request of the API: only the values that differ from the release, and the reports of own axes that are assumed.
 * An assumed test run ran, and an assumed report was measured, at `asOf`, an RFC 3339 moment.
 */
export const whatIfRequest = (facts: ReleaseFacts, now: Amounts, policy: Demands, asOf: string): WhatIfRequest => {
  const { scope, quality, ops, verification, stability } = facts;
  const runMoved = now.passed !== (verification?.passed ?? 0) || now.tests !== (verification?.total ?? 0);
  return {
    facts: {
      ...(now.done === scope.done ? {} : { scope: { done: now.done, total: scope.total } }),
      ...(now.resolved === quality.resolved && now.critical === 0
        ? {}
        : { quality: { resolved: now.resolved, total: quality.total, open: openBugsAfter(quality, now) } }),
      ...(now.items === ops.done ? {} : { ops: { done: now.items, total: ops.total } }),
      ...(runMoved ? { verification: { passed: now.passed, total: now.tests, ran_at: asOf } } : {}),
      ...(now.succeeded === stability.succeeded && now.failed === stability.failed
        ? {}
        : { stability: { succeeded: now.succeeded, failed: now.failed, in_progress: stability.inProgress } }),
      ...(now.own.size === 0
        ? {}
        : {
            own_axes: [...now.own].map(([axis, part]) => ({
              axis,
              part,
              whole: wholeOf(facts, axis),
              measured_at: asOf,
            })),
          }),
    },
    policy,
  };
};

/** Besides the critical ones the least severe are resolved first, as a convention; reopened ones have no severity. */
const openBugsAfter = ({ resolved, open }: QualityFacts, now: Amounts): QualityFacts['open'] => {
  let rest = now.resolved - resolved - now.critical;
  /** Resolves as many of `count` bugs as are still to resolve; returns how many stay open. */
  const resolveFrom = (count: number): number => {
    const taken = Math.min(count, Math.max(0, rest));
    rest -= taken;
    return count - taken;
  };
  const [unspecified, minor, major] = [resolveFrom(open.unspecified), resolveFrom(open.minor), resolveFrom(open.major)];
  return { critical: open.critical - now.critical, major, minor, unspecified: unspecified + Math.max(0, -rest) };
};

/** The amounts that a person changed in the simulation; the others are those of the release. */
export type Supposed = Partial<Amounts>;

/** The amounts of the simulation: what the person changed, limited to what the release holds now. Each bug is also one of the issues. */
export const amountsOf = (facts: ReleaseFacts, supposed: Supposed): Amounts => {
  const { scope, quality, ops, verification, stability } = facts;
  const done = clamp(supposed.done ?? scope.done, 0, scope.total);
  const resolved = clamp(
    supposed.resolved ?? quality.resolved,
    Math.max(0, quality.total - (scope.total - done)),
    Math.min(quality.total, done),
  );
  const more = Math.max(0, resolved - quality.resolved);
  const mild = quality.total - quality.resolved - quality.open.critical;
  const critical = clamp(supposed.critical ?? 0, Math.max(0, more - mild), Math.min(quality.open.critical, more));
  const tests = verification?.total ?? supposed.tests ?? 0;
  return {
    done,
    resolved,
    critical,
    items: clamp(supposed.items ?? ops.done, 0, ops.total),
    tests,
    passed: clamp(supposed.passed ?? verification?.passed ?? 0, 0, tests),
    succeeded: Math.max(0, supposed.succeeded ?? stability.succeeded),
    failed: Math.max(0, supposed.failed ?? stability.failed),
    own: new Map([...(supposed.own ?? [])].map(([axis, part]) => [axis, clamp(part, 0, wholeOf(facts, axis))])),
  };
};

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The simulation with that many bugs resolved: each further bug is one more issue done, each bug fewer one less. */
export const withResolved = (facts: ReleaseFacts, supposed: Supposed, resolved: number): Supposed => {
  const now = amountsOf(facts, supposed);
  const { scope, quality } = facts;
  const done = clamp(now.done + resolved - now.resolved, resolved, scope.total - (quality.total - resolved));
  return { ...supposed, resolved, done };
};

/** The simulation with that many critical bugs resolved; they count as resolved bugs, too. */
export const withCritical = (facts: ReleaseFacts, supposed: Supposed, critical: number): Supposed => {
  const now = amountsOf(facts, supposed);
  return { ...withResolved(facts, supposed, now.resolved + critical - now.critical), critical };
};
