import { waiverMove } from '@shipworthy/domain';
import type { WaiverStore } from '@shipworthy/domain/ports';
import type { Axis, WaivableCode, Waiver } from '@shipworthy/domain/readiness';
import { markRelease } from './change-log-sql.js';
import { query, type TableOf } from './query.js';
import { type Access, boundMoment } from './sql.js';

interface WaiverRow {
  readonly id: string;
  readonly release_id: string;
  readonly code: WaivableCode;
  readonly axis: Axis | null;
  readonly text: string;
  readonly actual: number | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly withdrawn_at: number | null;
  readonly withdrawn_by: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    waivers: TableOf<WaiverRow, 'created_at' | 'expires_at' | 'withdrawn_at'>;
  }
}

const waiverOf = (row: WaiverRow): Waiver => ({
  id: row.id,
  releaseId: row.release_id,
  code: row.code,
  axis: row.axis,
  text: row.text,
  actual: row.actual,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  withdrawnAt: row.withdrawn_at,
  withdrawnBy: row.withdrawn_by,
});

export const waiverStore = (access: Access): WaiverStore => ({
  add: (waiver) =>
    access.atomically(async (inside) => {
      const { id, releaseId, createdAt } = waiver;
      await query(inside)
        .from('waivers')
        .insert({
          id,
          release_id: releaseId,
          code: waiver.code,
          axis: waiver.axis,
          text: waiver.text,
          actual: waiver.actual,
          created_by: waiver.createdBy,
          created_at: access.dialect.moment(createdAt),
          expires_at: access.dialect.moment(waiver.expiresAt),
          withdrawn_at: boundMoment(access, waiver.withdrawnAt),
          withdrawn_by: waiver.withdrawnBy,
        });
      await markRelease(inside, releaseId, waiverMove(waiver, 'signed', createdAt));
    }),
  ofRelease: async (releaseId) => {
    const rows = await query(access).from('waivers').where('release_id', releaseId).orderBy(['created_at', 'id']);
    return rows.map(waiverOf);
  },
  withdraw: (releaseId, waiverId, at, by) =>
    access.atomically(async (inside) => {
      const [withdrawn] = await query(inside)
        .from('waivers')
        .where({ id: waiverId, release_id: releaseId })
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: access.dialect.moment(at), withdrawn_by: by }, ['axis']);
      if (withdrawn === undefined) return false;
      await markRelease(inside, releaseId, waiverMove({ id: waiverId, axis: withdrawn.axis }, 'withdrawn', at));
      return true;
    }),
});
