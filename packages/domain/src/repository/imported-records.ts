import type { DeploymentReport, FinalStatus } from '../deployment.js';
import { plainLabel } from '../names.js';
import { suiteOf, type TestRunReport } from '../test-run.js';
import type { Instant } from '../time.js';
import {
  type HostDeployment,
  type HostDeploymentState,
  type HostTestRun,
  lineOf,
  lineOrNull,
  webAddress,
} from './host.js';

const COMMIT = /^[0-9a-f]{7,64}$/iu;

/** The commit, if it is named by 7-64 hexadecimal characters; else null. */
const commitOf = (sha: string): string | null => (COMMIT.test(sha) ? sha : null);

const isFinal = (state: HostDeploymentState): state is FinalStatus => state === 'success' || state === 'failure';

/** How a deployment went, up to its first end: what came later (deactivated, deployed again) is ignored. */
const courseOf = ({
  states,
  createdAt,
}: HostDeployment): (Pick<DeploymentReport, 'status' | 'finishedAt'> & { readonly startedAt: Instant }) | null => {
  const endsAt = states.findIndex(({ state }) => isFinal(state));
  const started = (endsAt === -1 ? states : states.slice(0, endsAt)).find(({ state }) => state === 'started');
  const startedAt = started?.at ?? createdAt;
  const end = states[endsAt];
  if (end !== undefined && isFinal(end.state))
    return { status: end.state, startedAt, finishedAt: Math.max(end.at, startedAt) };
  const goesOn = started !== undefined && states.at(-1)?.state !== 'other';
  return goesOn ? { status: 'started', startedAt, finishedAt: null } : null;
};

/**
 * The host's deployment as a report under that name; null when it never began as far as the host tells, was given
 * up on its way (canceled, inactive), or names no commit.
 * It began with its first `started` state, or when it was created if it went straight to its end; it ended with its first
 * final state, at that state's own moment.
 */
export const importedDeployment = (
  host: HostDeployment,
  name: string,
  project: { readonly id: string; readonly name: string },
): DeploymentReport | null => {
  const course = courseOf(host);
  const commitSha = commitOf(host.commitSha);
  const environment = plainLabel(lineOf(host.environment));
  if (course === null || commitSha === null || environment === '') return null;
  return {
    ...course,
    appName: project.name,
    projectId: project.id,
    environment,
    commitSha,
    version: host.ref === host.commitSha ? null : lineOrNull(host.ref),
    deployedBy: lineOrNull(host.deployedBy),
    isReturn: false,
    url: webAddress(host.url),
    durationSeconds: null,
    external: { id: name, fingerprint: `${course.status}@${course.finishedAt ?? course.startedAt}` },
  };
};

/** Whether the deployment has not begun yet and may still: it is to be read again. */
export const mayStillBegin = ({ states }: Pick<HostDeployment, 'states'>): boolean => {
  const last = states.at(-1)?.state ?? 'queued';
  return last === 'queued' && !states.some(({ state }) => state === 'started' || isFinal(state));
};

/** The host's checks as a report under that name, for the active release; null when nothing passed or failed, so nothing was verified. */
export const importedTestRun = (host: HostTestRun, name: string): TestRunReport | null => {
  const { passed, failed, skipped, ranAt } = host;
  if (passed + failed === 0) return null;
  return {
    releaseId: null,
    suite: suiteOf(lineOrNull(host.suite)),
    total: passed + failed,
    passed,
    failed,
    skipped,
    commitSha: commitOf(host.commitSha),
    url: webAddress(host.url),
    durationSeconds: null,
    ranAt,
    external: { id: name, fingerprint: `${passed}/${failed}/${skipped}@${ranAt}` },
  };
};
