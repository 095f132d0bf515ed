import type { Deployment, DeploymentStatus, ExternalId } from '../deployment/deployment.js';
import { settleTimes, timesFaults } from '../deployment/deployment-times.js';
import type { Fault } from '../errors.js';
import type { Instant } from '../instant.js';

/** A deployment as a pipeline reports it; null: not said. */
export interface DeploymentReport {
  readonly appName: string;
  /** Settles an ambiguous name. */
  readonly projectId: string | null;
  readonly environment: string;
  readonly commitSha: string;
  readonly version: string | null;
  readonly deployedBy: string | null;
  readonly status: DeploymentStatus;
  /** Whether it puts back an artifact that ran there before. */
  readonly isReturn: boolean;
  readonly url: string | null;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  /** Finite, at least 0. */
  readonly durationSeconds: number | null;
  readonly external: ExternalId | null;
}

/** A duration in seconds is finite and not negative. */
export const durationFaults = (durationSeconds: number | null): readonly Fault[] =>
  durationSeconds === null || (Number.isFinite(durationSeconds) && durationSeconds >= 0)
    ? []
    : [{ pointer: '/duration_seconds', code: 'out-of-range', message: 'duration_seconds is finite and at least 0.' }];

/** Everything wrong with a report; empty when nothing is. */
export const deploymentFaults = (report: DeploymentReport, now: Instant): readonly Fault[] =>
  timesFaults(report, now).concat(durationFaults(report.durationSeconds));

/** The record of a faultless report. */
export const deploymentFrom = (report: DeploymentReport, projectId: string, id: string, now: Instant): Deployment => {
  const { startedAt, finishedAt, createdAt } = settleTimes(report, now);
  return {
    id,
    projectId,
    appName: report.appName,
    environment: report.environment,
    commitSha: report.commitSha,
    version: report.version,
    deployedBy: report.deployedBy,
    status: report.status,
    isReturn: report.isReturn,
    url: report.url,
    startedAt,
    finishedAt,
    durationSeconds: report.durationSeconds,
    createdAt,
    external: report.external,
  };
};
