import { createHash } from 'node:crypto';
import type {
  CdEventResult,
  CdServiceEvent,
  CdSuiteRunEvent,
  CdEventReceipt as WireReceipt,
} from '@shipworthy/client/contract';
import type { CdEvent, CdEventReceipt, ExternalId, SuiteCounts, SuiteOutcome, UsedKind } from '@shipworthy/domain';
import { wireDeployment } from './deployment.js';
import { momentOf } from './moment.js';
import { wireTestRun } from './test-run.js';

const LONGEST_EXTERNAL_ID = 255;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const externalName = (source: string, id: string): string => {
  const name = `cdevents:${source}#${id}`;
  return name.length <= LONGEST_EXTERNAL_ID ? name : `cdevents:sha256:${sha256(name)}`;
};

/** Custom data that is encoded says nothing. */
const customOf = <Custom extends object>(custom: Custom | string | undefined): Partial<Custom> =>
  typeof custom === 'object' ? custom : {};

type Outcome = CdSuiteRunEvent['subject']['content']['outcome'];

/** Since version 0.5 two of the outcomes have other words. */
const OUTCOMES: Readonly<Record<Outcome, SuiteOutcome>> = {
  pass: 'pass',
  success: 'pass',
  fail: 'fail',
  failure: 'fail',
  cancel: 'cancel',
  error: 'error',
};

const common = ({ context, customData }: CdServiceEvent | CdSuiteRunEvent) => {
  const custom = customOf(customData);
  return {
    source: context.source,
    at: momentOf(context.timestamp),
    appName: custom.app_name ?? null,
    projectId: custom.project_id?.toLowerCase() ?? null,
    commitSha: custom.commit_sha ?? null,
  };
};

/** Where an event comes from says whose it is, not what happened: it is no part of what the event is compared by. */
const origin = ({ subject }: CdServiceEvent | CdSuiteRunEvent) => ({ subjectSource: subject.source ?? null });

const withExternal = <Event extends object>(
  event: Event,
  { context: { source, id } }: CdServiceEvent | CdSuiteRunEvent,
): Event & { readonly external: ExternalId } => ({
  ...event,
  external: { id: externalName(source, id), fingerprint: sha256(JSON.stringify(event)) },
});

/** A checked service event as the domain takes it. */
export const serviceEvent = (kind: Exclude<UsedKind, 'testsuiterun.finished'>, sent: CdServiceEvent): CdEvent => ({
  ...withExternal(
    {
      kind,
      ...common(sent),
      subjectId: sent.subject.id,
      environment: sent.subject.content.environment.id,
      artifactId: sent.subject.content.artifactId ?? null,
    },
    sent,
  ),
  ...origin(sent),
});

const countsOf = ({ customData }: CdSuiteRunEvent): SuiteCounts | null => {
  const { total, passed, failed, skipped = null } = customOf(customData);
  return total === undefined || passed === undefined || failed === undefined
    ? null
    : { total, passed, failed, skipped };
};

/** A checked event of a test suite as the domain takes it. */
export const suiteRunEvent = (sent: CdSuiteRunEvent): CdEvent => {
  const { outcome, testSuite } = sent.subject.content;
  const event = withExternal(
    {
      kind: 'testsuiterun.finished',
      ...common(sent),
      outcome: OUTCOMES[outcome],
      suite: testSuite?.name ?? testSuite?.id ?? null,
      counts: countsOf(sent),
    } as const,
    sent,
  );
  return { ...event, ...origin(sent), suiteId: testSuite?.id ?? null };
};

/** What became of an event that was sent by itself. */
export const wireCdEventReceipt = (receipt: CdEventReceipt): WireReceipt => {
  switch (receipt.kind) {
    case 'deployment':
      return { recorded: true, result: receipt.result, deployment: wireDeployment(receipt.view) };
    case 'test_run':
      return { recorded: true, result: receipt.result, test_run: wireTestRun(receipt.view) };
    case 'none':
      return { recorded: false, result: 'ignored', reason: receipt.reason };
  }
};

/** What became of one event of several. */
export const wireCdEventResult = (index: number, receipt: CdEventReceipt): CdEventResult => {
  if (receipt.kind === 'none') return { index, result: 'not_recorded', reason: receipt.reason };
  const { id } = receipt.kind === 'deployment' ? receipt.view.deployment : receipt.view.testRun;
  return { index, result: receipt.result, kind: receipt.kind, id };
};
