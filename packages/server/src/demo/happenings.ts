import {
  addEvidence,
  addIssue,
  type DeploymentStatus,
  editChecklistItem,
  editIssue,
  type IssueState,
  type IssueType,
  recordDeployment,
  recordTestRun,
  type Severity,
} from '@shipworthy/domain';
import type { Scene } from './scene.js';

const MINUTE = 60_000;

/** An issue of the release, added and later moved to another state. */
export const issue = async (
  { ports, place }: Scene,
  releaseId: string,
  title: string,
  type: IssueType = 'feature',
  severity: Severity | null = null,
): Promise<(state: IssueState) => Promise<unknown>> => {
  const given = { title, type, state: 'todo', severity, url: null, releaseId } as const;
  const { id } = await addIssue(ports)({ ...place, issue: given });
  return (state) => editIssue(ports)({ ...place, issueId: id, edit: { state }, version: null });
};

/** A deployment that has just ended. */
export const deploy = (
  { ports, place, appName }: Scene,
  version: string,
  commitSha: string,
  status: Exclude<DeploymentStatus, 'started'> = 'success',
  environment = 'production',
): Promise<unknown> => {
  const finishedAt = ports.clock();
  const took = { startedAt: finishedAt - 4 * MINUTE, finishedAt, durationSeconds: 240 };
  const what = { appName, projectId: place.projectId, environment, commitSha, version, status, ...took };
  const report = { ...what, deployedBy: 'pipeline', url: null, isReturn: false, external: null };
  return recordDeployment(ports)({ principal: place.by.principal, report, remember: null });
};

/** A test run of the release that has just ended, without skipped tests. */
export const test = (
  { ports, place }: Scene,
  releaseId: string,
  commitSha: string,
  passed: number,
  total: number,
): Promise<unknown> => {
  const counts = { total, passed, failed: total - passed, skipped: 0 };
  const rest = { suite: null, url: null, durationSeconds: 312, ranAt: null, external: null };
  const report = { releaseId, commitSha, ...counts, ...rest };
  const { teamId, projectId, by } = place;
  return recordTestRun(ports)({ principal: by.principal, teamId, projectId, report, remember: null });
};

/** Ticks a checklist item by its key, or says why it does not apply; with a link as its evidence where one is given. */
export const tick = async (
  { ports, place }: Scene,
  releaseId: string,
  key: string,
  evidence?: { readonly url: string; readonly label: string },
  reason?: string,
): Promise<void> => {
  const edit = reason === undefined ? ({ state: 'done' } as const) : ({ state: 'not_applicable', reason } as const);
  const item = (await ports.stores.checklists.ofRelease(releaseId)).find((one) => one.key === key);
  if (item === undefined) throw new Error(`The release has no checklist item ${key}.`);
  await editChecklistItem(ports)({ ...place, releaseId, itemId: item.id, edit });
  if (evidence !== undefined) await addEvidence(ports)({ ...place, releaseId, itemId: item.id, ...evidence });
};
