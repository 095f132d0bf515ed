import { type WaiverStore, waiverMove } from '@shipworthy/domain';
import { mark } from './mark.js';
import { ascending } from './order.js';
import type { TableAccess } from './table-access.js';

export const waiverStore = ({ read, change }: TableAccess): WaiverStore => ({
  add: (waiver) =>
    change((tables) => {
      tables.waivers.put(waiver.id, waiver);
      mark(tables, waiver.releaseId, waiverMove(waiver, 'signed', waiver.createdAt));
    }),
  ofRelease: (releaseId) =>
    read(({ waivers }) => ascending(waivers.where('release', releaseId), ({ createdAt, id }) => [createdAt, id])),
  withdraw: (releaseId, waiverId, at, by) =>
    change((tables) => {
      const waiver = tables.waivers.get(waiverId);
      if (waiver?.releaseId !== releaseId || waiver.withdrawnAt !== null) return false;
      tables.waivers.put(waiverId, { ...waiver, withdrawnAt: at, withdrawnBy: by });
      mark(tables, releaseId, waiverMove(waiver, 'withdrawn', at));
      return true;
    }),
});
