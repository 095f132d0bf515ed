import { SEQUENCE, sequenceText } from '../load/load-order.js';
import { requestText } from '../load/request-text.js';
import type { Project } from './project.js';

const GROWTH = sequenceText(0).length - SEQUENCE.length;

/**
 * Reports a finished deployment, each request with a commit and an idempotency key of its own.
 * @param commits the first 24 hexadecimal digits of all their commits
 */
export const deploymentRequest = (app: string, key: string, commits: string): string =>
  requestText({
    method: 'POST',
    path: '/api/deployments',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${commits}-${SEQUENCE}`,
    },
    body: JSON.stringify({
      app_name: app,
      environment: 'production',
      commit_sha: `${commits}${SEQUENCE}`,
      version: '4.12.0',
      deployed_by: 'ci',
      status: 'success',
    }),
    bodyGrowth: GROWTH,
  });

/** Where the report of a project's active release is read. */
export const readinessPath = ({ teamId, id }: Project): string => `/api/teams/${teamId}/projects/${id}/readiness`;

/** Reads that report; with an ETag only if it is another one by now. */
export const readinessRequest = (project: Project, key: string, etag: string | null): string =>
  requestText({
    method: 'GET',
    path: readinessPath(project),
    headers: { Authorization: `Bearer ${key}`, ...(etag === null ? {} : { 'If-None-Match': etag }) },
  });
