import type { HistoryStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { claim, settle } from './history-claims.js';
import { pageOfMoves } from './history-moves.js';
import { POINT_COLUMNS, pointOf } from './history-point-row.js';
import { last, latest, newest, pointAt, trends } from './history-reads.js';
import { pageOf } from './page-of.js';

export const historyStore = (access: Access): HistoryStore => ({
  claim: (now, limit, leaseMs, projectId) => claim(access, now, limit, leaseMs, projectId),
  settle: (dirty, points, nextTimeLimit, unmoved) => settle(access, dirty, points, nextTimeLimit, unmoved),
  page: (releaseId, page) => {
    const listing = {
      select: `select ${POINT_COLUMNS} from history_points h`,
      conditions: ['release_id = ?'],
      bindings: [releaseId],
      sort: [{ name: 'second', kind: 'number' }],
      descending: false,
    } as const;
    return pageOf(access, listing, page, pointOf, ({ at }) => [Math.floor(at / 1000)]);
  },
  last: (releaseIds, count) => last(access, releaseIds, count),
  newest: (releaseIds) => newest(access, releaseIds),
  trends: (releaseIds, count) => trends(access, releaseIds, count),
  latest: (releaseIds) => latest(access, releaseIds),
  pointAt: (releaseId, at) => pointAt(access, releaseId, at),
  moves: (releaseId, from, until, page) => pageOfMoves(access, releaseId, from, until, page),
});
