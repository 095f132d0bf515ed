import type { WhatIf as WireWhatIf } from '@shipworthy/client/contract';
import {
  DomainError,
  type Instant,
  invalid,
  type KnownReport,
  type Principal,
  type ReleaseRevision,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { changesOfRequest, reasonForm, type Waiver, waiverForm, waiverStateOf } from '@shipworthy/domain/readiness';
import {
  type Readiness,
  type ReadReadiness,
  readReadiness,
  readReadinessAt,
  readWhatIf,
  signVerdict,
  type Verdict,
  type WhatIfReading,
  waiveReason,
  withdrawWaiver,
} from '@shipworthy/domain/use-cases';
import { entityTag } from '../http/answer.js';
import { withCurrent } from '../http/problem.js';
import type { InOneTurn, OperationOf, RouteContext, RouteHandler, RouteInput, Routes } from '../http/route.js';
import type { MadeReport, ReportCache } from '../report-cache.js';
import { SERVER_VERSION } from '../version.js';
import { sentMoment, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportWhole, type TableColumns } from './csv.js';
import { actorOf } from './replies.js';
import { wireGateReport, wireReport, wireStatement } from './report-form.js';

/** The parameters of a query that contradict `as_of`. */
interface Beside {
  readonly view?: 'live' | 'frozen' | undefined;
  readonly signed?: boolean | undefined;
}

const requireAlone = ({ view, signed }: Beside): void => {
  const surplus = [...(view === undefined ? [] : ['view']), ...(signed === true ? ['signed'] : [])];
  if (surplus.length === 0) return;
  throw invalid(
    surplus.map((pointer) => ({
      pointer,
      code: 'contradiction',
      message: `${pointer} cannot be asked for with as_of.`,
    })),
  );
};

/** Answers the report as it was known at a past moment. It is not cached: it never changes, so callers ask once. */
const answerPast = async (
  asOf: string,
  beside: Beside,
  { ports, principal, place }: Pick<RouteContext<OperationOf<'readReadiness'>>, 'ports' | 'principal' | 'place'>,
  bodyOf: (known: KnownReport) => unknown,
) => {
  requireAlone(beside);
  const { teamId, projectId, releaseId } = place;
  const known = await readReadinessAt(ports, { principal, teamId, projectId, releaseId, at: sentMoment(asOf) });
  const text = JSON.stringify(bodyOf(known));
  return { status: 200, text, etag: entityTag(text) } as const;
};

type View = 'live' | 'frozen';

/** Which report of which release is asked for, and in which form. */
interface ReportRequest {
  readonly inOneTurn: InOneTurn;
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly view: View | undefined;
  readonly form: 'readiness' | 'gate' | 'verdict';
  /** The release's revision, if it was read together with the release. */
  readonly seen?: ReleaseRevision;
}

/** How old a signature may be when it is handed out, in milliseconds, so that a verifier may demand a recent one. */
const SIGNED_WITHIN = 60_000;

type Form = (command: ReadReadiness, ports: Ports) => Promise<MadeReport>;

const unsigned =
  (bodyOf: (readiness: Readiness) => unknown): Form =>
  async (command, ports) => {
    const readiness = await readReadiness(ports, command);
    return { body: bodyOf(readiness), revision: readiness.revision, until: readiness.until };
  };

const signed: Form = async (command, ports) => {
  const again = ports.clock() + SIGNED_WITHIN;
  const statementOf = (verdict: Verdict): string => JSON.stringify(wireStatement(verdict, SERVER_VERSION));
  const { readiness, envelope } = await signVerdict(ports, command, statementOf);
  const body = { data: wireGateReport(readiness), verdict: envelope };
  return { body, revision: readiness.revision, until: Math.min(again, readiness.until ?? again) };
};

const FORMS: { readonly [form in ReportRequest['form']]: Form } = {
  readiness: unsigned((readiness) => ({ data: wireReport(readiness) })),
  gate: unsigned((readiness) => ({ data: wireGateReport(readiness) })),
  verdict: signed,
};

/** The cache of reports made ready: an unchanged report is answered without being read or computed again. */
const createReader =
  (reports: ReportCache) =>
  async ({ inOneTurn, view, form, seen, ...path }: ReportRequest) => {
    // A release that has not shipped has no frozen report: both views are then the live one, under one name.
    const wanted = view === 'live' ? 'live' : null;
    const make = (ports: Ports) => FORMS[form]({ ...path, view: wanted }, ports);
    const name = `${form} ${wanted ?? 'frozen'}`;
    const { text, etag } = await reports.read(path.releaseId, name, { inOneTurn, make }, seen);
    return { status: 200, text, etag } as const;
  };

/** The readiness report and the ship gate alone. */
export const readinessRoutes = (reports: ReportCache) => {
  const reader = createReader(reports);

  const readActive: RouteHandler<OperationOf<'readActiveReadiness'>> = async (_, context) => {
    const { ports, inOneTurn, principal, place } = context;
    const { teamId, projectId } = place;
    const seen = await ports.lookups.activeRevision(projectId);
    if (seen === undefined) throw new DomainError('no-active-release', 'No release of this project is active.');
    const { releaseId } = seen;
    return reader({ inOneTurn, principal, teamId, projectId, releaseId, view: undefined, form: 'readiness', seen });
  };

  const read: RouteHandler<OperationOf<'readReadiness'>> = ({ query: { view, as_of } }, context) => {
    if (as_of !== undefined) return answerPast(as_of, { view }, context, (known) => ({ data: wireReport(known) }));
    const { inOneTurn, principal, place } = context;
    const { teamId, projectId, releaseId } = place;
    return reader({ inOneTurn, principal, teamId, projectId, releaseId, view, form: 'readiness' });
  };

  const readGate: RouteHandler<OperationOf<'readGate'>> = ({ query }, context) => {
    if (query.as_of !== undefined)
      return answerPast(query.as_of, query, context, (known) => ({ data: wireGateReport(known) }));
    const { inOneTurn, principal, place } = context;
    const { teamId, projectId, releaseId } = place;
    const form = query.signed === true ? 'verdict' : 'gate';
    return reader({ inOneTurn, principal, teamId, projectId, releaseId, view: query.view, form });
  };

  return { readActiveReadiness: readActive, readReadiness: read, readGate } as const satisfies Partial<Routes>;
};

/** The report under other facts or demands, and the present judgement. */
const wireWhatIf = ({ before, ...judged }: WhatIfReading): WireWhatIf => ({
  report: wireReport({ ...judged, frozenAt: null }),
  before: { score: before.score, coverage: before.coverage, decision: before.decision },
});

const ask: RouteHandler<OperationOf<'askWhatIf'>> = async ({ body }, { ports, principal, place }) => {
  const { teamId, projectId, releaseId } = place;
  const reading = await readWhatIf(ports, { principal, teamId, projectId, releaseId, changes: changesOfRequest(body) });
  return { status: 200, body: { data: wireWhatIf(reading) } };
};

/** Computes a release's report under other facts or demands. */
export const whatIfRoutes = { askWhatIf: ask } as const satisfies Partial<Routes>;

type WaiverListing = OperationOf<'exportWaivers'>;

/** The waivers of the release, in the state that is asked for. */
const waiversAsked = async (
  { query: { state } }: Pick<RouteInput<WaiverListing>, 'query'>,
  { ports, place, now }: Pick<RouteContext<WaiverListing>, 'ports' | 'place' | 'now'>,
) => {
  const waivers = await ports.stores.waivers.ofRelease(place.releaseId);
  return state === undefined ? waivers : waivers.filter((waiver) => waiverStateOf(waiver, now) === state);
};

const list: RouteHandler<OperationOf<'listWaivers'>> = async (input, context) => ({
  status: 200,
  body: { data: (await waiversAsked(input, context)).map(waiverForm) },
});

const waiverColumns = (now: Instant): TableColumns<Waiver> => ({
  code: ({ code }) => code,
  axis: ({ axis }) => axis,
  text: ({ text }) => text,
  actual: ({ actual }) => actual,
  state: (waiver) => waiverStateOf(waiver, now),
  created_by: ({ createdBy }) => createdBy,
  created_at: ({ createdAt }) => wireMoment(createdAt),
  expires_at: ({ expiresAt }) => wireMoment(expiresAt),
  withdrawn_by: ({ withdrawnBy }) => withdrawnBy,
  withdrawn_at: ({ withdrawnAt }) => wireMomentOrNull(withdrawnAt),
  id: ({ id }) => id,
});

const exportTable: RouteHandler<WaiverListing> = async (input, context) => {
  const { ports, now } = context;
  const about = { name: 'waivers', columns: waiverColumns(now), slices: ports.slices };
  return exportWhole(await waiversAsked(input, context), about);
};

const waive: RouteHandler<OperationOf<'waiveReason'>> = async ({ body }, context) => {
  const { code, axis = null, actual, text, expires_at } = body;
  const { teamId, projectId, releaseId } = context.place;
  const reason = { code, axis, actual, text, expiresAt: sentMoment(expires_at) };
  const command = { by: actorOf(context), teamId, projectId, releaseId, ...reason };
  const waiver = await withCurrent(reasonForm, waiveReason(context.ports, command));
  return { status: 201, body: { data: waiverForm(waiver) } };
};

const withdraw: RouteHandler<OperationOf<'withdrawWaiver'>> = async (_, context) => {
  const { teamId, projectId, releaseId, waiver } = context.place;
  await withdrawWaiver(context.ports, { by: actorOf(context), teamId, projectId, releaseId, waiverId: waiver.id });
  return { status: 204 };
};

export const waiverRoutes = {
  listWaivers: list,
  exportWaivers: exportTable,
  waiveReason: waive,
  withdrawWaiver: withdraw,
} as const satisfies Partial<Routes>;
