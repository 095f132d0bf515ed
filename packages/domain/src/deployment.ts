import { DomainError, type Fault, invalid } from './errors.js';
import { labelFaults } from './names.js';
import type { ListOrder, Page, PageRequest } from './page.js';
import { ALLOWED_CLOCK_LEAD, type Instant, type Interval } from './time.js';

export type DeploymentStatus = 'started' | 'success' | 'failure';
export type FinalStatus = Exclude<DeploymentStatus, 'started'>;

/**
 * The id of a record in the system that sent it; the fingerprint of its content tells repetition from contradiction.
 */
export interface ExternalId {
  readonly id: string;
  readonly fingerprint: string;
}

/** The first deployments of a span of time, by when they started. */
export interface FirstDeployments {
  /** When the first one started; null: there is none. */
  readonly startedAt: Instant | null;
  /** When the first one that succeeded ended; null: none did. */
  readonly succeededAt: Instant | null;
}

/** One deployment as a pipeline reported it. Its project is set when it is accepted and never changes. */
export interface Deployment {
  readonly id: string;
  readonly projectId: string;
  /** The name it was reported under. */
  readonly appName: string;
  readonly environment: string;
  readonly commitSha: string;
  readonly version: string | null;
  readonly deployedBy: string | null;
  readonly status: DeploymentStatus;
  /** Whether its sender said that it put back an artifact that ran there before. */
  readonly isReturn: boolean;
  readonly url: string | null;
  /** Decides the release windows it falls in. */
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
  /** The duration as reported, in seconds; never derived. */
  readonly durationSeconds: number | null;
  readonly createdAt: Instant;
  readonly external: ExternalId | null;
}

/**
 * Whether a deployment is a return that succeeded. It says nothing about the change that it put back, and the change that it
 * undid is not known: so it counts for no release.
 */
export const countsAsReturn = ({ status, isReturn }: Pick<Deployment, 'status' | 'isReturn'>): boolean =>
  isReturn && status === 'success';

export interface DeploymentFilter {
  readonly projectId: string;
  readonly environment?: string;
  readonly status?: DeploymentStatus;
  readonly externalId?: string;
  /** The interval that holds `startedAt`. */
  readonly started?: Interval;
  /**
   * `namesOfDeployment` holds all of these words, in any case. May read all deployments that pass the other members.
   */
  readonly text?: { readonly words: readonly string[] };
}

/** The text in which a search looks for a deployment: its commit, version and environment. */
export const namesOfDeployment = ({ commitSha, version, environment }: Deployment): string =>
  `${commitSha} ${version ?? ''} ${environment}`;

/** The counts of one day, or of one hour, and environment: stored beside the deployments, or recounted from them. */
export interface DailyCount {
  readonly projectId: string;
  readonly environment: string;
  /** Start of what is counted: a UTC day, or in stores that count by hours an hour. */
  readonly day: Instant;
  readonly started: number;
  /** Successful deployments without returns. */
  readonly success: number;
  readonly failure: number;
  /** Successes that are returns. */
  readonly returned: number;
}

/** A stored count that differs from the recount; null: there is none. A difference is a bug. */
export interface CountDifference {
  readonly kept: DailyCount | null;
  readonly recounted: DailyCount | null;
}

/** Reads deployments. Only the ReportStore writes them. */
export interface DeploymentStore {
  /** In the order asked; undefined where there is none. One query. */
  byIds(deploymentIds: readonly string[]): Promise<readonly (Deployment | undefined)[]>;
  /** By startedAt, then id; newest first unless said. */
  page(filter: DeploymentFilter, page: PageRequest, order?: ListOrder): Promise<Page<Deployment>>;
  /** When the newest deployment of each project (startedAt, then id) was reported, in the order asked; undefined where there is none. One query. */
  lastReported(projectIds: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /** Deployments still `started` whose external id begins with the prefix, started at or after `since`, newest first. */
  unfinished(
    filter: { readonly projectId: string; readonly externalPrefix: string; readonly since: Instant },
    page: PageRequest,
  ): Promise<Page<Deployment>>;
  /**
   * The first deployments that started in each interval, without returns that succeeded, in the order asked;
   * `environments` null: in any. One query.
   */
  firstOf(
    projectId: string,
    environments: readonly string[] | null,
    started: readonly Interval[],
  ): Promise<readonly FirstDeployments[]>;
  /**
   * The deployments that count for no release while only these environments count (null: all do): no window of the
   * project holds their start, their environment does not count, they are still `started`, a return that succeeded, or
   * came after their release shipped. Newest first: startedAt, then id. A page reads about as many rows as it shows,
   * however many there are that count.
   */
  notCounted(projectId: string, environments: readonly string[] | null, page: PageRequest): Promise<Page<Deployment>>;
  /** Recounts every day and hour that the store keeps counts of from the rows and answers the differences to the kept counts. */
  recount(): Promise<readonly CountDifference[]>;
}

/** The times a report of a deployment may carry. */
type ReportedTimes = Pick<DeploymentReport, 'status' | 'startedAt' | 'finishedAt'>;

/** The times a deployment gets. */
type DeploymentTimes = Pick<Deployment, 'startedAt' | 'finishedAt' | 'createdAt'>;

const tooFarAhead = (pointer: string, at: Instant | null, now: Instant): readonly Fault[] =>
  at !== null && at > now + ALLOWED_CLOCK_LEAD
    ? [
        {
          pointer,
          code: 'in-future',
          message: `${pointer.slice(1)} lies more than 5 minutes ahead of the service's clock.`,
        },
      ]
    : [];

/** Everything wrong with the reported times; empty when nothing is. */
export const timesFaults = ({ status, startedAt, finishedAt }: ReportedTimes, now: Instant): readonly Fault[] => {
  const faults = [...tooFarAhead('/started_at', startedAt, now), ...tooFarAhead('/finished_at', finishedAt, now)];
  if (finishedAt === null) return faults;
  const pointer = '/finished_at';
  if (status === 'started')
    faults.push({ pointer, code: 'not-final', message: 'finished_at goes with the status success or failure only.' });
  if (finishedAt < (startedAt ?? now))
    faults.push({
      pointer,
      code: 'before-start',
      message: 'finished_at lies before started_at (the clock, when left out).',
    });
  return faults;
};

/**
 * Returns the times of a deployment reported at `now`: those reported, else `now`. A final record ends at `now`, or at its
 * start if that is later, unless `finishedAt` lies before: an end ahead of the clock would seem to come after a shipping
 * whose report counts it. The reported duration is not used.
 */
export const settleTimes = ({ status, startedAt, finishedAt }: ReportedTimes, now: Instant): DeploymentTimes => {
  const start = startedAt ?? now;
  const latestEnd = Math.max(now, start);
  return {
    startedAt: start,
    finishedAt: status === 'started' ? null : Math.min(finishedAt ?? latestEnd, latestEnd),
    createdAt: now,
  };
};

/** How a deployment ends. */
interface Finish {
  readonly status: FinalStatus;
  readonly finishedAt: Instant;
  readonly durationSeconds: number | null;
}

/**
 * `started -> success | failure`, both final. Repeating the same final status, with the same duration or none, leaves
 * the record as it is. A finish before the start is moved to the start; a duration of null keeps the recorded one.
 * @throws DomainError `deployment-finished` when it ended with the other status or another duration
 */
export const finish = (deployment: Deployment, { status, finishedAt, durationSeconds }: Finish): Deployment => {
  if (deployment.status === 'started')
    return {
      ...deployment,
      status,
      finishedAt: Math.max(finishedAt, deployment.startedAt),
      durationSeconds: durationSeconds ?? deployment.durationSeconds,
    };
  const { status: ended, durationSeconds: took } = deployment;
  if (ended === status && (durationSeconds === null || durationSeconds === took)) return deployment;
  const duration = took === null ? 'without a duration' : `after ${took} seconds`;
  const how = ended === status ? `${ended} ${duration}` : ended;
  throw new DomainError('deployment-finished', `The deployment has finished already, with ${how}.`, { status: ended });
};

/** A deployment as a pipeline reports it; null: not said. */
export interface DeploymentReport extends Omit<Deployment, 'id' | 'projectId' | 'startedAt' | 'createdAt'> {
  /** Says which project is meant where several have the name. */
  readonly projectId: string | null;
  readonly startedAt: Instant | null;
}

/** Checks a duration in seconds: finite and not negative. */
export const durationFaults = (durationSeconds: number | null): readonly Fault[] =>
  durationSeconds === null || (Number.isFinite(durationSeconds) && durationSeconds >= 0)
    ? []
    : [{ pointer: '/duration_seconds', code: 'out-of-range', message: 'duration_seconds is finite and at least 0.' }];

/** Everything wrong with a report; empty when nothing is. */
export const deploymentFaults = (report: DeploymentReport, now: Instant): readonly Fault[] =>
  timesFaults(report, now).concat(durationFaults(report.durationSeconds));

/**
 * Whether these faults of a report may be new since it was stored: without `startedAt` a deployment begins at the clock,
 * and an end a little ahead of that clock lies before it when the report is sent again.
 */
export const mayBeNewFaults = ({ startedAt }: DeploymentReport, faults: readonly Fault[]): boolean =>
  startedAt === null && faults.every(({ code }) => code === 'before-start');

/**
 * Demands an environment that cannot be mistaken for another one: failures in a look-alike would seem to count but do
 * not. An environment that the policy names (`named`) is not checked. @throws DomainError `invalid`
 */
export const requireEnvironment = ({ environment }: DeploymentReport, named: readonly string[] | null): void => {
  const faults = named?.includes(environment) ? [] : labelFaults(environment, '/environment');
  if (faults.length > 0) throw invalid(faults);
};

/** Makes the record from a report without faults. */
export const deploymentFrom = (report: DeploymentReport, projectId: string, id: string, now: Instant): Deployment => ({
  ...report,
  ...settleTimes(report, now),
  id,
  projectId,
});
