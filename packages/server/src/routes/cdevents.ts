import { CDEVENTS_AT_MOST, type CdEventResult, operations } from '@shipworthy/client/contract';
import { DomainError } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { receiveCdEvent, setEventSources } from '@shipworthy/domain/use-cases';
import { domainProblem, faulty, Problem } from '../http/problem.js';
import type { OperationOf, RouteContext, RouteHandler, Routes } from '../http/route.js';
import { createCdEventReader, wireCdEventReceipt, wireCdEventResult } from './cdevent-reader.js';
import { actorOf } from './replies.js';
import { type BatchRequest, refusedRecord } from './reports.js';

type Receive = OperationOf<'receiveCdEvent'>;

const checkCount = ({ length }: readonly unknown[]): void => {
  if (length >= 1 && length <= CDEVENTS_AT_MOST) return;
  const message = `There must be 1-${CDEVENTS_AT_MOST} events`;
  throw faulty([{ pointer: '', code: length === 0 ? 'minItems' : 'maxItems', message }]);
};

/** What one event of several is refused with. Anything but a refusal is a bug, or concerns all of them, and thrown on. */
const problemOfOne = (thrown: unknown, { now }: BatchRequest): Problem => {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof DomainError && thrown.code !== 'unavailable') return domainProblem(thrown, now);
  throw thrown;
};

type Caller = Pick<RouteContext<Receive>, 'principal' | 'needs'>;

const createReceive = (): RouteHandler<Receive> => {
  const read = createCdEventReader();

  const receiveOne = async (
    ports: Ports,
    { principal, needs }: Caller,
    sent: unknown,
    binaryType: string | null = null,
  ) => receiveCdEvent(ports, { principal, needs, ...read(sent, binaryType, principal) });

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
    const { ports, delivery, basePath, requestId, now } = context;
    const request = { basePath, path: operations.receiveCdEvent.path, requestId, now };
    if (Array.isArray(body)) return { status: 200, body: { data: await receiveAll(ports, context, body, request) } };
    const receipt = await receiveOne(ports, context, body, delivery.headers['ce-type'] ?? null);
    const ofNoUse = receipt.kind === 'none' && receipt.reason === 'not_a_cdevent';
    return { status: ofNoUse ? 202 : 200, body: { data: wireCdEventReceipt(receipt) } };
  };
};

/** What pipelines and their brokers send in the format of CDEvents. */
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

/** Which CDEvents are those of a project. */
export const eventSourceRoutes = {
  readEventSources: read,
  replaceEventSources: replace,
} as const satisfies Partial<Routes>;
