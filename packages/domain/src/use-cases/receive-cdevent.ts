import { teamsInSight } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import type { DeploymentView } from '../attribution/deployment-view.js';
import { matchAppName, unmatched } from '../attribution/match-app-name.js';
import type { TestRunView } from '../attribution/test-run-view.js';
import type { CdEvent, ServiceEvent, SuiteRunEvent } from '../cdevent/cdevent.js';
import { appNamePointer, deploymentOfEvent } from '../cdevent/deployment-of-event.js';
import { EVENT_POINTERS, refusalInEvent } from '../cdevent/event-faults.js';
import { testRunOfEvent } from '../cdevent/test-run-of-event.js';
import { DomainError, invalid } from '../errors.js';
import type { Project } from '../project/project.js';
import type { Reported } from '../report/report-reply.js';
import { recordDeployment } from './record-deployment.js';
import { recordTestRun } from './record-test-run.js';

export interface ReceiveCdEvent {
  readonly principal: Principal;
  readonly event: CdEvent;
  /** JSON pointer of the event within what was sent. */
  readonly base: string;
}

/** What became of an event: the record made of it, now or when it was first received, or why there is none. */
export type CdEventReceipt =
  | { readonly kind: 'deployment'; readonly result: 'created' | 'duplicate'; readonly view: DeploymentView }
  | { readonly kind: 'test_run'; readonly result: 'created' | 'duplicate'; readonly view: TestRunView }
  | { readonly kind: 'none'; readonly reason: 'type_not_used' | 'run_canceled' };

type ReceivingPorts = Parameters<typeof recordDeployment>[0] & Parameters<typeof recordTestRun>[0];

const made = <View>(reported: Reported<View>) => {
  if (reported.outcome === 'created' || reported.outcome === 'duplicate')
    return { result: reported.outcome, view: reported.view };
  throw new Error('An event is repeated by its own id, never by a key.');
};

const receiveService = async (ports: ReceivingPorts, principal: Principal, event: ServiceEvent) => {
  const report = deploymentOfEvent(event);
  return { kind: 'deployment', ...made(await recordDeployment(ports)({ principal, report, remember: null })) } as const;
};

const NO_PROJECT = {
  pointer: '/customData/app_name',
  code: 'required',
  message: 'customData.app_name or customData.project_id is required: it says whose tests ran.',
};
const UNKNOWN_PROJECT = {
  pointer: '/project_id',
  code: 'unknown-project',
  message: 'project_id names no project in sight.',
};

/** The project whose tests ran. A name together with an id must be that project's. */
const projectOf = async (
  { stores, lookups }: ReceivingPorts,
  principal: Principal,
  { appName, projectId, at }: SuiteRunEvent,
): Promise<Project> => {
  if (appName !== null) {
    const named = await lookups.namedProject({ name: appName, at });
    const match = matchAppName(principal, { appName, projectId }, named);
    if (match !== undefined) return match.project;
    throw unmatched({ appName, projectId }, await stores.projects.names(teamsInSight(principal)));
  }
  if (projectId === null) throw invalid([NO_PROJECT]);
  const found = await lookups.projectAt({ projectId, at });
  if (found === undefined || !principal.roles.has(found.project.teamId)) throw invalid([UNKNOWN_PROJECT]);
  return found.project;
};

const receiveSuiteRun = async (ports: ReceivingPorts, principal: Principal, event: SuiteRunEvent) => {
  const report = testRunOfEvent(event);
  if (report === null) return { kind: 'none', reason: 'run_canceled' } as const;
  const { id: projectId, teamId } = await projectOf(ports, principal, event);
  const command = { principal, teamId, projectId, report, remember: null };
  return { kind: 'test_run', ...made(await recordTestRun(ports)(command)) } as const;
};

/**
 * Records what a CDEvent tells: a service event as a deployment, a finished test suite as a test run of the active release.
 * An event that was received before answers the record of the first time. Faults point into what was sent.
 * @throws DomainError `invalid`, `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `forbidden`,
 * `no-active-release`, `release-closed`, `external-id-conflict`
 */
export const receiveCdEvent =
  (ports: ReceivingPorts) =>
  async ({ principal, event, base }: ReceiveCdEvent): Promise<CdEventReceipt> => {
    if (event.kind === 'other') return { kind: 'none', reason: 'type_not_used' };
    const isRun = event.kind === 'testsuiterun.finished';
    try {
      return await (isRun ? receiveSuiteRun(ports, principal, event) : receiveService(ports, principal, event));
    } catch (refusal) {
      if (!(refusal instanceof DomainError)) throw refusal;
      const appName = isRun ? '/customData/app_name' : appNamePointer(event);
      throw refusalInEvent(refusal, { ...EVENT_POINTERS, '/app_name': appName }, base);
    }
  };
