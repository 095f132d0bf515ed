import type { Principal } from '../access/principal.js';
import type { DeploymentView } from '../attribution/deployment-view.js';
import type { TestRunView } from '../attribution/test-run-view.js';
import type { CdEvent, ServiceEvent, SuiteRunEvent } from '../cdevent/cdevent.js';
import { appNamePointer, deploymentOfEvent } from '../cdevent/deployment-of-event.js';
import { EVENT_POINTERS, refusalInEvent } from '../cdevent/event-faults.js';
import { testRunOfEvent } from '../cdevent/test-run-of-event.js';
import { DomainError } from '../errors.js';
import type { Reported } from '../report/report-reply.js';
import { findEventProject } from './find-event-project.js';
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
  | { readonly kind: 'none'; readonly reason: 'type_not_used' | 'not_a_cdevent' | 'run_canceled' };

type ReceivingPorts = Parameters<typeof recordDeployment>[0] & Parameters<typeof recordTestRun>[0];

const made = <View>(reported: Reported<View>) => {
  if (reported.outcome === 'created' || reported.outcome === 'duplicate')
    return { result: reported.outcome, view: reported.view };
  throw new Error('An event is repeated by its own id, never by a key.');
};

const receiveService = async (ports: ReceivingPorts, principal: Principal, event: ServiceEvent) => {
  const told = deploymentOfEvent(event);
  const { id: projectId, name: appName } = await findEventProject(ports, principal, event);
  const report = { ...told, projectId, appName };
  return { kind: 'deployment', ...made(await recordDeployment(ports)({ principal, report, remember: null })) } as const;
};

const receiveSuiteRun = async (ports: ReceivingPorts, principal: Principal, event: SuiteRunEvent) => {
  const report = testRunOfEvent(event);
  if (report === null) return { kind: 'none', reason: 'run_canceled' } as const;
  const { id: projectId, teamId } = await findEventProject(ports, principal, event);
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
    if (event.kind === 'foreign') return { kind: 'none', reason: 'not_a_cdevent' };
    const isRun = event.kind === 'testsuiterun.finished';
    try {
      return await (isRun ? receiveSuiteRun(ports, principal, event) : receiveService(ports, principal, event));
    } catch (refusal) {
      if (!(refusal instanceof DomainError)) throw refusal;
      const appName = isRun ? '/customData/app_name' : appNamePointer(event);
      throw refusalInEvent(refusal, { ...EVENT_POINTERS, '/app_name': appName }, base);
    }
  };
