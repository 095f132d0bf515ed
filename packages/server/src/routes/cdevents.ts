import { createHash } from 'node:crypto';
import {
  CDEVENTS_AT_MOST,
  type CdEventResult,
  CdOtherEvent,
  CdServiceEvent,
  CdSuiteRunEvent,
  CloudEvent,
  OtherCloudEvent,
  operations,
  type CdEventReceipt as WireReceipt,
} from '@shipworthy/client/contract';
import {
  type CdEvent,
  DomainError,
  type ExternalId,
  type Fault,
  isCdEventType,
  type Principal,
  type SuiteCounts,
  type SuiteOutcome,
  scopeOfKind,
  type UsedKind,
  usedKind,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { type CdEventReceipt, namesOnce, receiveCdEvent, setEventSources } from '@shipworthy/domain/use-cases';
import { requireScope } from '../http/authorization.js';
import { type Check, checkOf } from '../http/input.js';
import { domainProblem, faulty, Problem } from '../http/problem.js';
import type { OperationOf, RouteContext, RouteHandler, Routes } from '../http/route.js';
import { sentMoment } from '../wire.js';
import { wireDeployment } from './deployments.js';
import { actorOf } from './replies.js';
import { type BatchRequest, refusedRecord } from './reports.js';
import { wireTestRun } from './test-runs.js';

type Receive = OperationOf<'receiveCdEvent'>;

const checkCount = ({ length }: readonly unknown[]): void => {
  if (length >= 1 && length <= CDEVENTS_AT_MOST) return;
  const message = `There must be 1-${CDEVENTS_AT_MOST} events`;
  throw faulty([{ pointer: '', code: length === 0 ? 'minItems' : 'maxItems', message }]);
};

/** The problem of one refused event of several. Any other error is a bug, or concerns all events, and is thrown on. */
const problemOfOne = (thrown: unknown, { now }: BatchRequest): Problem => {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof DomainError && thrown.code !== 'unavailable') return domainProblem(thrown, now);
  throw thrown;
};

/** Who sends events, with the project names in sight, which all events of a request share. */
type Caller = Pick<RouteContext<Receive>, 'principal' | 'needs'> & { readonly names: ReturnType<typeof namesOnce> };

const createReceive = (): RouteHandler<Receive> => {
  const read = createCdEventReader();

  const receiveOne = async (ports: Ports, caller: Caller, sent: unknown, binaryType: string | null = null) =>
    receiveCdEvent(ports, { ...caller, ...read(sent, binaryType, caller.principal) });

  const receiveAll = async (ports: Ports, caller: Caller, sent: readonly unknown[], request: BatchRequest) => {
    checkCount(sent);
    // Together, so that they share reads and one commit.
    const results = await Promise.allSettled(sent.map((one) => receiveOne(ports, caller, one)));
    return results.map(
      (result, index): CdEventResult =>
        result.status === 'fulfilled'
          ? wireCdEventResult(index, result.value)
          : refusedRecord(index, problemOfOne(result.reason, request), request),
    );
  };

  return async ({ body }, context) => {
    const { ports, principal, needs, delivery, basePath, requestId, now } = context;
    const caller = { principal, needs, names: namesOnce(ports.stores, principal) };
    const request = { basePath, path: operations.receiveCdEvent.path, requestId, now };
    if (Array.isArray(body)) return { status: 200, body: { data: await receiveAll(ports, caller, body, request) } };
    const receipt = await receiveOne(ports, caller, body, delivery.headers['ce-type'] ?? null);
    const ofNoUse = receipt.kind === 'none' && receipt.reason === 'not_a_cdevent';
    return { status: ofNoUse ? 202 : 200, body: { data: wireCdEventReceipt(receipt) } };
  };
};

/** The routes that take CDEvents of pipelines and their brokers. */
export const cdEventRoutes = () => ({ receiveCdEvent: createReceive() }) as const satisfies Partial<Routes>;

const read: RouteHandler<OperationOf<'readEventSources'>> = async (_, { ports, place }) => ({
  status: 200,
  body: { data: { sources: await ports.stores.eventSources.ofProject(place.projectId) } },
});

const replace: RouteHandler<OperationOf<'replaceEventSources'>> = async ({ body: { sources } }, context) => {
  const { teamId, projectId } = context.place;
  const set = await setEventSources(context.ports, { by: actorOf(context), teamId, projectId, sources });
  return { status: 200, body: { data: { sources: set } } };
};

/** The routes of event sources, which name the project in the CDEvents of a pipeline. */
export const eventSourceRoutes = {
  readEventSources: read,
  replaceEventSources: replace,
} as const satisfies Partial<Routes>;

const LONGEST_EXTERNAL_ID = 255;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Makes the external id of an event. `formerName` is the one from earlier versions: with a `#` in the source, it did
 * not show where the source ends and the id begins.
 */
const namesOf = (source: string, id: string) => {
  const text = `cdevents:${source}#${id}`;
  const name = text.length <= LONGEST_EXTERNAL_ID ? text : `cdevents:sha256:${sha256(text)}`;
  if (!source.includes('#')) return { name, formerName: null };
  return { name: `cdevents:sha256:${sha256(JSON.stringify([source, id]))}`, formerName: name };
};

/** Custom data sent as an encoded string is ignored. */
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
    at: sentMoment(context.timestamp),
    appName: custom.app_name ?? null,
    projectId: custom.project_id?.toLowerCase() ?? null,
    commitSha: custom.commit_sha ?? null,
  };
};

/** The source of the subject says whose event it is, not what happened: it is no part of the fingerprint. */
const origin = ({ subject }: CdServiceEvent | CdSuiteRunEvent) => ({ subjectSource: subject.source ?? null });

const withExternal = <Event extends object>(
  event: Event,
  { context: { source, id } }: CdServiceEvent | CdSuiteRunEvent,
): Event & { readonly external: ExternalId; readonly formerName: string | null } => {
  const { name, formerName } = namesOf(source, id);
  return { ...event, external: { id: name, fingerprint: sha256(JSON.stringify(event)) }, formerName };
};

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

/** The receipt of an event that was sent alone, in wire form. */
const wireCdEventReceipt = (receipt: CdEventReceipt): WireReceipt => {
  switch (receipt.kind) {
    case 'deployment':
      return { recorded: true, result: receipt.result, deployment: wireDeployment(receipt.view) };
    case 'test_run':
      return { recorded: true, result: receipt.result, test_run: wireTestRun(receipt.view) };
    case 'none':
      return { recorded: false, result: 'ignored', reason: receipt.reason };
  }
};

/** The result of one event of several, in wire form. */
const wireCdEventResult = (index: number, receipt: CdEventReceipt): CdEventResult => {
  if (receipt.kind === 'none') return { index, result: 'not_recorded', reason: receipt.reason };
  const { id } = receipt.kind === 'deployment' ? receipt.view.deployment : receipt.view.testRun;
  return { index, result: receipt.result, kind: receipt.kind, id };
};

/** An event that is well-formed and may be sent, and its place in what was sent. */
interface ReadCdEvent {
  readonly event: CdEvent;
  /** JSON pointer. */
  readonly base: string;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Whether a type is that of a CloudEvent which is no CDEvent. */
const isForeign = (type: unknown): boolean => typeof type === 'string' && !isCdEventType(type);

const isEnvelope = (sent: Members): boolean => sent.specversion !== undefined && sent.context === undefined;

/** The envelope without what is in it, which is checked by its own kind. */
const ENVELOPE = { ...CloudEvent, properties: { ...CloudEvent.properties, data: { type: 'object' } } } as const;

const NOT_A_CDEVENT: Fault = {
  pointer: '/context/type',
  code: 'not-a-cdevent',
  message: 'type must be the type of a CDEvent, as in dev.cdevents.service.deployed.0.2.0',
};

const versionFaults = ({ context }: Members): readonly Fault[] => {
  const { version, specversion } = membersOf(context);
  if (context === undefined || version !== undefined || specversion !== undefined) return [];
  return [{ pointer: '/context/version', code: 'required', message: 'version is required' }];
};

const COUNTS = ['total', 'passed', 'failed'] as const;

/** When an event gives one count of tests it must give all: the rest would be guessed. */
const countFaults = ({ customData }: Members): readonly Fault[] => {
  const given = membersOf(customData);
  if (COUNTS.every((name) => given[name] === undefined)) return [];
  return COUNTS.filter((name) => given[name] === undefined).map((name) => ({
    pointer: `/customData/${name}`,
    code: 'required',
    message: `${name} is required with the other counts`,
  }));
};

const refuseFaults = (faults: readonly Fault[], base: string): void => {
  if (faults.length > 0) throw faulty(faults.map((fault) => ({ ...fault, pointer: `${base}${fault.pointer}` })));
};

/** Reads CDEvents, bare or in the envelope of a CloudEvent. Its checks are compiled once. */
const createCdEventReader = () => {
  const envelope = checkOf(ENVELOPE);
  const otherEnvelope = checkOf(OtherCloudEvent);
  const service = checkOf(CdServiceEvent);
  const suiteRun = checkOf(CdSuiteRunEvent);
  const other = checkOf(CdOtherEvent);

  const faultsOf = (check: Check, sent: unknown): readonly Fault[] => [
    ...check(sent).map((fault) =>
      fault.pointer === NOT_A_CDEVENT.pointer && fault.code === 'pattern' ? NOT_A_CDEVENT : fault,
    ),
    ...versionFaults(membersOf(sent)),
  ];

  const usedEvent = (kind: UsedKind, sent: unknown, base: string): CdEvent => {
    if (kind === 'testsuiterun.finished') {
      refuseFaults([...faultsOf(suiteRun, sent), ...countFaults(membersOf(sent))], base);
      return suiteRunEvent(sent as CdSuiteRunEvent);
    }
    refuseFaults(faultsOf(service, sent), base);
    return serviceEvent(kind, sent as CdServiceEvent);
  };

  /**
   * @param binaryType the header `ce-type` of a CloudEvent in binary mode; null without it
   * @throws Problem `missing-scope` by the event's kind; `invalid` with every fault of the envelope, else of the event
   */
  return (sent: unknown, binaryType: string | null, principal: Principal): ReadCdEvent => {
    const enveloped = isEnvelope(membersOf(sent));
    const base = enveloped ? '/data' : '';
    const inner = enveloped ? membersOf(sent).data : sent;
    const { type } = membersOf(membersOf(inner).context);
    if (isForeign(enveloped ? membersOf(sent).type : binaryType) && isForeign(type ?? '')) {
      if (enveloped) refuseFaults(otherEnvelope(sent), '');
      return { event: { kind: 'foreign' }, base };
    }
    if (enveloped) refuseFaults(envelope(sent), '');
    const kind = typeof type === 'string' ? usedKind(type) : null;
    if (kind === null) {
      refuseFaults(faultsOf(other, inner), base);
      return { event: { kind: 'other' }, base };
    }
    requireScope(principal, scopeOfKind(kind));
    return { event: usedEvent(kind, inner, base), base };
  };
};
