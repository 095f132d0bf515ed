import type { ReadinessReport } from '@shipworthy/client';
import type { ReleaseFacts } from '@shipworthy/domain/readiness';

type Reading<Axis extends string> = Extract<ReadinessReport['axes'][number], { readonly axis: Axis }>;

const readingOf = <Axis extends string>({ axes }: ReadinessReport, axis: Axis): Reading<Axis> | undefined =>
  axes.find((reading): reading is Reading<Axis> => reading.axis === axis);

const isImported = (reading: Reading<'scope'> | undefined): boolean =>
  reading?.state === 'unmeasured' && reading.cause === 'issues_being_imported';

const NO_BUGS = { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };

/** The facts a report was computed from, as the engine takes them. Which sources are expected to report is not told by it. */
export const factsOfReport = (report: ReadinessReport): ReleaseFacts => {
  const scope = readingOf(report, 'scope');
  const ops = readingOf(report, 'ops')?.facts;
  const { facts: run, set_aside: setAside } = readingOf(report, 'verification') ?? {};
  const deployments = readingOf(report, 'stability')?.facts;
  return {
    scope: scope?.facts ?? { done: 0, total: 0 },
    quality: readingOf(report, 'quality')?.facts ?? NO_BUGS,
    ops: { done: ops?.done ?? 0, total: ops?.total ?? 0, openItems: ops?.open_items ?? [] },
    verification:
      run === undefined
        ? null
        : {
            passed: run.passed,
            total: run.total,
            ranAt: Date.parse(run.ran_at),
            suite: run.suite,
            commitSha: run.commit_sha,
            runs: run.runs,
            ...(run.worse_suite === undefined ? {} : { worseSuite: run.worse_suite }),
          },
    stability: {
      succeeded: deployments?.succeeded ?? 0,
      failed: deployments?.failed ?? 0,
      inProgress: deployments?.in_progress ?? 0,
    },
    issuesAsOf: scope?.as_of === undefined ? null : Date.parse(scope.as_of),
    issuesPending: isImported(scope),
    ...(setAside === undefined ? {} : { testRunSetAside: setAside }),
  };
};
