import type { Instant } from '../instant.js';

export type DeploymentStatus = 'started' | 'success' | 'failure';
export type FinalStatus = Exclude<DeploymentStatus, 'started'>;

/** The name a record has in the system that sent it, with the fingerprint of what was sent: tells a repeat from a contradiction. */
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

/** One deployment as a pipeline reported it. Its project was settled when it was accepted and never moves. */
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
  /** As reported, in seconds; never derived. */
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
