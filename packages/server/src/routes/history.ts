import type { Difference, GateChange, MovingRecord } from '@shipworthy/client/contract';
import type { Instant, KnownReport, ListedGateChange, Move } from '@shipworthy/domain';
import { reasonForm } from '@shipworthy/domain/readiness';
import {
  gateChangesInSight,
  listGateChanges,
  markGateChangesRead,
  movesBetween,
  type ReleaseDifference,
  readDifference,
} from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteContext, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { sentMoment, sentMomentOrNull, sentWords, wireMoment } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { pageReply } from './replies.js';
import { wireCause, wireHistoryPoint } from './report-form.js';

const wireReading = ({ report: { asOf, score, coverage, gate } }: KnownReport): Difference['from'] => ({
  as_of: wireMoment(asOf),
  score,
  coverage,
  decision: gate.decision,
});

/** A record that moved a report. */
const wireMove = ({ what, axes, title, ...cause }: Move): MovingRecord => ({
  ...wireCause(cause),
  what: [...what],
  axes: [...axes],
  ...(title === null ? {} : { title }),
});

/** What changed in a release's report between two moments, and one page of what moved it. */
export const wireDifference = (
  { from, to, axes, ownAxes, reasons, records, recordCount }: Omit<ReleaseDifference, 'next'>,
  next: string | null,
): Difference => ({
  from: wireReading(from),
  to: wireReading(to),
  axes: axes.map(({ axis, before, after }) => ({ axis, before: { ...before }, after: { ...after } })),
  ...(ownAxes === undefined
    ? {}
    : { own_axes: ownAxes.map(({ axis, before, after }) => ({ axis, before: { ...before }, after: { ...after } })) }),
  reasons: { gone: reasons.gone.map(reasonForm), come: reasons.come.map(reasonForm) },
  record_count: recordCount,
  data: records.map(wireMove),
  next_cursor: next,
});

const list: RouteHandler<OperationOf<'listHistory'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.history.page(place.releaseId, page);
  return pageReply(rows.map(wireHistoryPoint), sealCursor(next));
};

type Between = OperationOf<'exportDifference'>;

/** The release and the two moments that are asked about. */
const differenceRequest = (
  { from, to }: RouteInput<Between>['query'],
  { principal, place: { teamId, projectId, releaseId } }: Pick<RouteContext<Between>, 'principal' | 'place'>,
) => ({ principal, teamId, projectId, releaseId, from: sentMoment(from), to: sentMomentOrNull(to) });

const compare: RouteHandler<OperationOf<'readDifference'>> = async ({ query }, context) => {
  const { ports, page, sealCursor } = context;
  const found = await readDifference(ports, { ...differenceRequest(query, context), page });
  const next = sealCursor(found.next);
  return { status: 200, body: wireDifference(found, next), next };
};

const MOVE_COLUMNS: TableColumns<MovingRecord> = {
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  title: ({ title }) => title ?? null,
  what: ({ what }) => what.join(' '),
  axes: ({ axes }) => axes.join(' '),
  by: ({ by }) => by?.name ?? null,
  by_kind: ({ by }) => by?.kind ?? null,
  id: ({ id }) => id,
  user_id: ({ by }) => by?.user_id ?? null,
};

/** Moves read at once; many, since each page counts all moves between the two moments. */
const MOVES_READ = 2_000;

const exportMoves: RouteHandler<Between> = async ({ query }, context) => {
  const { ports } = context;
  const readPage = await movesBetween(ports, differenceRequest(query, context));
  return exportList({
    name: 'difference',
    columns: MOVE_COLUMNS,
    slices: ports.slices,
    atOnce: MOVES_READ,
    readPage: async (page) => {
      const { rows, next } = await readPage(page);
      return { rows: await ports.slices.map(rows, wireMove), next };
    },
  });
};

/** A change of a gate, for a person who has read up to a moment. */
const wireGateChange = (change: ListedGateChange, readUpTo: Instant): GateChange => ({
  id: change.id,
  team_id: change.teamId,
  project: { id: change.project.id, name: change.project.name },
  release: { id: change.release.id, name: change.release.name },
  at: wireMoment(change.at),
  noted_at: wireMoment(change.notedAt),
  before: change.before,
  after: change.after,
  reason: change.reason === null ? null : reasonForm(change.reason),
  unread: change.notedAt > readUpTo,
});

const listChanges: RouteHandler<OperationOf<'listGateChanges'>> = async ({ query }, context) => {
  const { ports, principal, page, sealCursor } = context;
  const { rows, next, readUpTo, unread } = await listGateChanges(ports, { principal, text: sentWords(query.q), page });
  const listed = pageReply(
    rows.map((change) => wireGateChange(change, readUpTo)),
    sealCursor(next),
  );
  return { ...listed, body: { ...listed.body, read_up_to: wireMoment(readUpTo), unread } };
};

const CHANGE_COLUMNS: TableColumns<GateChange> = {
  at: ({ at }) => at,
  noted_at: ({ noted_at }) => noted_at,
  project: ({ project }) => project.name,
  release: ({ release }) => release.name,
  before: ({ before }) => before,
  after: ({ after }) => after,
  reason: ({ reason }) => reason?.message ?? null,
  unread: ({ unread }) => (unread ? 'yes' : 'no'),
  id: ({ id }) => id,
  team_id: ({ team_id }) => team_id,
  project_id: ({ project }) => project.id,
  release_id: ({ release }) => release.id,
};

const exportChanges: RouteHandler<OperationOf<'exportGateChanges'>> = async ({ query }, { ports, principal }) => {
  const { slices } = ports;
  const { readUpTo, readPage } = await gateChangesInSight(ports, principal, sentWords(query.q));
  return exportList({
    name: 'gate-changes',
    columns: CHANGE_COLUMNS,
    slices,
    readPage: async (page) => {
      const { rows, next } = await readPage(page);
      return { rows: await slices.map(rows, (change) => wireGateChange(change, readUpTo)), next };
    },
  });
};

const readChanges: RouteHandler<OperationOf<'readGateChanges'>> = async ({ body }, { ports, principal }) => {
  await markGateChangesRead(ports, { principal, upTo: sentMoment(body.read_up_to) });
  return { status: 204 };
};

/** The routes of the trend of a release, of its differences, and of the gate changes in sight. */
export const historyRoutes = {
  listHistory: list,
  readDifference: compare,
  exportDifference: exportMoves,
  listGateChanges: listChanges,
  exportGateChanges: exportChanges,
  readGateChanges: readChanges,
} as const satisfies Partial<Routes>;
