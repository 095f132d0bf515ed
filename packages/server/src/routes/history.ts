import { readDifference } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireDifference } from '../wire/difference.js';
import { momentOf, momentOrNull } from '../wire/moment.js';
import { wireHistoryPoint } from '../wire/readiness.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listHistory'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.history.page(place.releaseId, page);
  return pageReply(rows.map(wireHistoryPoint), sealCursor(next));
};

const compare: Route<OperationOf<'readDifference'>> = async ({ query }, context) => {
  const { ports, principal, place, page, sealCursor } = context;
  const { teamId, projectId, releaseId } = place;
  const moments = { from: momentOf(query.from), to: momentOrNull(query.to) };
  const found = await readDifference(ports)({ principal, teamId, projectId, releaseId, ...moments, page });
  const next = sealCursor(found.next);
  return { status: 200, body: wireDifference(found, next), next };
};

/** The trend of a release, and what changed within a time. */
export const historyRoutes = { listHistory: list, readDifference: compare } as const satisfies Partial<Routes>;
