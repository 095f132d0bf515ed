import {
  CdOtherEvent,
  CdServiceEvent,
  CdSuiteRunEvent,
  CloudEvent,
  OtherCloudEvent,
} from '@shipworthy/client/contract';
import {
  type CdEvent,
  type Fault,
  isCdEventType,
  type Principal,
  scopeOfKind,
  type UsedKind,
  usedKind,
} from '@shipworthy/domain';
import { requireScope } from '../http/admission.js';
import { faulty } from '../http/problem.js';
import { type Check, checkOf } from '../http/validation.js';
import { serviceEvent, suiteRunEvent } from '../wire/cdevent.js';

/** An event that is well-formed and may be sent, and where it lay in what was sent. */
export interface ReadCdEvent {
  readonly event: CdEvent;
  /** JSON pointer. */
  readonly base: string;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The type of a CloudEvent that is no CDEvent. */
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

/** Who counts tests counts all of them: the rest would have to be guessed. */
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
export const createCdEventReader = () => {
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
   * @param binaryType what the header `ce-type` of a CloudEvent in binary mode says; null without it
   * @throws Problem `missing-scope` by the kind of the event; `invalid` with every fault of what is not a CloudEvent
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
