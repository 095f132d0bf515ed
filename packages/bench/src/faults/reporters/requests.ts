import type { Asking } from './ask.js';
import type { DeploymentState, ItemState } from './ledger.js';
import type { Scene } from './scene.js';

const withKey = ({ key }: Scene, idempotencyKey: string): Readonly<Record<string, string>> => ({
  Authorization: `Bearer ${key}`,
  'Idempotency-Key': idempotencyKey,
});

/** Reports a deployment that begins. */
export const begin = (scene: Scene, commit: string): Asking => ({
  method: 'POST',
  path: '/api/deployments',
  headers: withKey(scene, `begin-${commit}`),
  body: { app_name: scene.project.name, environment: 'production', commit_sha: commit, status: 'started' },
});

/** Reports how a deployment ended. */
export const finish = ({ key }: Scene, id: string, status: Exclude<DeploymentState, 'started'>): Asking => ({
  method: 'PUT',
  path: `/api/deployments/${id}`,
  headers: { Authorization: `Bearer ${key}` },
  body: { status },
});

/** Reports a test run of 100 tests. */
export const recordTests = (scene: Scene, commit: string, passed: number): Asking => ({
  method: 'POST',
  path: `${scene.path}/test-runs`,
  headers: withKey(scene, `tests-${commit}`),
  body: { total: 100, passed, failed: 100 - passed, commit_sha: commit },
});

/** Ticks a checklist item, or opens it again. */
export const tick = ({ path, project, signedIn }: Scene, itemId: string, state: ItemState): Asking => ({
  method: 'PATCH',
  path: `${path}/releases/${project.releaseId}/checklist/${itemId}`,
  headers: signedIn,
  body: { state },
});

/** Reads the report. */
export const readReadiness = ({ path, key }: Scene): Asking => ({
  method: 'GET',
  path: `${path}/readiness`,
  headers: { Authorization: `Bearer ${key}` },
});
