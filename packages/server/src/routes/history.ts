import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireHistoryPoint } from '../wire/readiness.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listHistory'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.history.page(place.releaseId, page);
  return pageReply(rows.map(wireHistoryPoint), sealCursor(next));
};

/** The trend of a release. */
export const historyRoutes = { listHistory: list } as const satisfies Partial<Routes>;
