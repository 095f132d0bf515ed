import type { Instant, Interval } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { Deployment, DeploymentStatus, FirstDeployments } from './deployment.js';

export interface DeploymentFilter {
  readonly projectId: string;
  readonly environment?: string;
  readonly status?: DeploymentStatus;
  /** Over `startedAt`. */
  readonly started?: Interval;
}

/** A day's count in one environment, as kept beside the rows or as recounted from them. */
export interface DailyCount {
  readonly projectId: string;
  readonly environment: string;
  /** Start of the UTC day. */
  readonly day: Instant;
  readonly started: number;
  /** Without returns. */
  readonly success: number;
  readonly failure: number;
  /** Successes that are returns. */
  readonly returned: number;
}

/** Where a kept daily count and the rows disagree; never happens unless there is a bug. */
export interface CountDifference {
  readonly kept: DailyCount | null;
  readonly recounted: DailyCount | null;
}

/** Reading deployments; they are written through the ReportStore only. */
export interface DeploymentStore {
  /** In the order asked; undefined where there is none. One query. */
  byIds(deploymentIds: readonly string[]): Promise<readonly (Deployment | undefined)[]>;
  /** Newest first: startedAt, then id. */
  page(filter: DeploymentFilter, page: PageRequest): Promise<Page<Deployment>>;
  /** When the newest deployment of each project (startedAt, then id) was reported, in the order asked; undefined where there is none. One query. */
  lastReported(projectIds: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /** Deployments still `started` whose external id begins with the prefix, started at or after `since`, newest first, `limit` at most. */
  unfinished(filter: {
    readonly projectId: string;
    readonly externalPrefix: string;
    readonly since: Instant;
    readonly limit: number;
  }): Promise<readonly Deployment[]>;
  /** The first deployments that started in each interval, without returns that succeeded, in the order asked; of any environment where null. One query. */
  firstOf(
    projectId: string,
    environments: readonly string[] | null,
    started: readonly Interval[],
  ): Promise<readonly FirstDeployments[]>;
  /**
   * Those that count for no release while only these environments count (null: all do): none of the project's windows holds
   * their start, their environment does not count, they are still `started`, or a return that succeeded. Newest first: startedAt, then id. A page
   * reads about as many rows as it shows, however many there are that count.
   */
  notCounted(projectId: string, environments: readonly string[] | null, page: PageRequest): Promise<Page<Deployment>>;
  /** Recounts every day from the rows and answers the differences to the kept counts. */
  recount(): Promise<readonly CountDifference[]>;
}
