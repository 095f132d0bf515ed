import type { Instant } from '../time.js';

/** Issues of the release that are not canceled. */
export interface ScopeFacts {
  readonly done: number;
  readonly total: number;
}

/** Bug-type issues of the release that are not canceled. */
export interface QualityFacts {
  readonly resolved: number;
  readonly total: number;
  /** Open bugs by severity; `unspecified` holds those without one. They sum up to `total - resolved`. */
  readonly open: {
    readonly critical: number;
    readonly major: number;
    readonly minor: number;
    readonly unspecified: number;
  };
}

/** How many checklist items of one kind facts name at most. */
export const NAMED_ITEMS = 20;

/** An item that was marked as not applicable. It counts as open until it is confirmed. */
export interface OpsMark {
  readonly title: string;
  /** null: marked before reasons were recorded. */
  readonly reason: string | null;
  readonly markedBy: string | null;
  readonly markedAt: Instant | null;
  readonly confirmedBy: string | null;
  readonly confirmed: boolean;
}

/** An item that was removed from the release. */
export interface OpsRemoval {
  readonly title: string;
  readonly removedBy: string;
  readonly removedAt: Instant;
}

/** Items of the launch checklist that apply. */
export interface OpsFacts {
  readonly done: number;
  readonly total: number;
  /** Titles of open items in list order, the first 20 at most; those whose mark is not confirmed are among them. */
  readonly openItems: readonly string[];
  /** Items marked as not applicable, in list order, the first 20 at most. Shown, never counted. Missing: none. */
  readonly notApplicable?: readonly OpsMark[];
  /** Removed items, in list order, the first 20 at most. Shown, never counted. Missing: none. */
  readonly removed?: readonly OpsRemoval[];
}

/** The latest test run of one suite. */
export interface SuiteRun {
  /** null: the runs without a suite name, which are a suite of their own. */
  readonly suite: string | null;
  readonly passed: number;
  readonly total: number;
}

/** The test run that counts, or under `latest_per_suite` the sum over each suite's latest run. */
export interface VerificationFacts {
  readonly passed: number;
  readonly total: number;
  /** When it ran; of several runs the oldest. */
  readonly ranAt: Instant;
  /** null: the run has no suite name, or several suites are summed. */
  readonly suite: string | null;
  /** null: not reported, or several runs of different commits are summed. */
  readonly commitSha: string | null;
  /** How many runs are summed; 1 under `latest_run`. */
  readonly runs: number;
  /**
   * Under `latest_run`: the latest run of another suite with the lowest pass rate, if it passed less than the run that counts;
   * missing or null: none did.
   */
  readonly worseSuite?: SuiteRun | null;
}

/** Deployments that started in the release window, in the environments that count. */
export interface StabilityFacts {
  readonly succeeded: number;
  readonly failed: number;
  readonly inProgress: number;
}

/** When a source's records that belong to the release came. */
export interface SourceFacts {
  /** When the last one began. */
  readonly lastAt: Instant;
  /** Median interval between its last 20 records, in whole milliseconds; null: fewer than 5 tell no rhythm. */
  readonly medianMs: number | null;
}

/** What an own axis is judged by: its latest report, or what the service counted for it. */
export interface ReportedFacts {
  /** 0 to `whole`; 0 where that is null. */
  readonly part: number;
  /** 1 at least; null: it could not be measured. */
  readonly whole: number | null;
  readonly explanation: string | null;
  readonly url: string | null;
  readonly measuredAt: Instant;
}

/** The counts a release is judged by. Whole numbers, 0 to 2^31 - 1. */
export interface ReleaseFacts {
  readonly scope: ScopeFacts;
  readonly quality: QualityFacts;
  readonly ops: OpsFacts;
  /** null: no test run was recorded. */
  readonly verification: VerificationFacts | null;
  readonly stability: StabilityFacts;
  /**
   * The last complete import, while the repository host cannot be read; scope and quality are as of then; missing or null: they
   * are current.
   */
  readonly issuesAsOf?: Instant | null;
  /**
   * Whether not all issues of the release were read yet, since it began to follow a milestone or since the settings for issues
   * changed: scope and quality are unmeasured. Missing: false.
   */
  readonly issuesPending?: boolean;
  /**
   * A suite of the release whose latest test run an owner set aside; `verification` is null until there is a newer run.
   * Missing or null: there is none.
   */
  readonly testRunSetAside?: Pick<SuiteRun, 'suite'> | null;
  /**
   * When deployments in the release's window and its test runs came; null: none did. Missing: the release is closed, so
   * nothing is expected.
   */
  readonly sources?: { readonly deployments: SourceFacts | null; readonly testRuns: SourceFacts | null };
  /** The reports of own axes that count, by the axis' name; those the policy does not have are not looked at. Missing: none. */
  readonly ownAxes?: Readonly<Record<string, ReportedFacts>>;
}

const NO_BUGS = Object.freeze({ critical: 0, major: 0, minor: 0, unspecified: 0 });

/** The facts as they would be if no issue had been read yet. */
export const beforeImport = (facts: ReleaseFacts): ReleaseFacts => ({
  ...facts,
  scope: { done: 0, total: 0 },
  quality: { resolved: 0, total: 0, open: NO_BUGS },
});

/**
 * The facts after the best end that an import can have: every issue is done, but for the critical bugs that are known to be
 * open, since they are a reason of their own.
 */
export const afterImport = (facts: ReleaseFacts): ReleaseFacts => {
  const { critical } = facts.quality.open;
  const total = Math.max(1, facts.scope.total);
  const bugs = facts.quality.total;
  return {
    ...facts,
    scope: { done: total - critical, total },
    quality: { resolved: bugs - critical, total: bugs, open: { ...NO_BUGS, critical } },
    issuesPending: false,
  };
};
