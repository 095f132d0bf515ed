import type { DirtyRelease, Instant, Knowledge, RecordedPoint } from '@shipworthy/domain';
import type { Access } from './access.js';
import { storePoint } from './history-point-row.js';
import { causesOf } from './marks.js';
import { storeLimits } from './moves.js';
import { momentOrNull } from './sql.js';

interface ClaimedRow {
  readonly release_id: string;
  readonly revision: number;
  readonly claimed_count: number;
  readonly claimed_causes: string;
  readonly claimed_until: number;
}

/**
 * Claims in one statement. Causes are moved aside with the claim, so that those of later changes gather by themselves;
 * an outdated claim gives what it moved to the next one. No two claims of a release end at the same moment.
 */
export const claim = async (
  access: Access,
  now: Instant,
  limit: number,
  leaseMs: number,
  projectId: string | undefined,
): Promise<readonly DirtyRelease[]> => {
  const { moment, skipLocked } = access.dialect;
  const rows = await access.write<ClaimedRow>(
    `update release_marks set claimed_causes = claimed_causes || causes, claimed_count = claimed_count + cause_count,
        causes = '', cause_count = 0, claimed_until = ?
      where release_id in (select release_id from release_marks
        where (dirty = 1 or next_time_limit <= ?) and (claimed_until is null or claimed_until <= ?)
          ${projectId === undefined ? '' : 'and project_id = ?'}
        limit ? ${skipLocked})
      returning release_id, revision, claimed_count, claimed_causes, claimed_until`,
    [moment(now + leaseMs), moment(now), moment(now), ...(projectId === undefined ? [] : [projectId]), limit],
  );
  return rows.map(({ release_id, revision, claimed_count, claimed_causes, claimed_until }) => ({
    releaseId: release_id,
    revision,
    causes: causesOf(claimed_causes),
    causeCount: claimed_count,
    claimedUntil: claimed_until,
  }));
};

const storeUnmoved = async (access: Access, releaseId: string, { revision, at }: Knowledge): Promise<void> => {
  await access.write(
    `insert into unmoved_revisions (release_id, second, at, revision) values (?, ?, ?, ?)
      on conflict (release_id, second) do update set at = excluded.at, revision = excluded.revision`,
    [releaseId, Math.floor(at / 1000), access.dialect.moment(at), revision],
  );
};

/** Stores what a claimed release has come to and gives it back; false when the claim was over and another one has it. */
export const settle = (
  access: Access,
  dirty: DirtyRelease,
  points: readonly RecordedPoint[],
  nextTimeLimit: Instant | null,
  unmoved: Knowledge | undefined,
): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { forUpdate, moment } = inside.dialect;
    // Held to the end: whoever claims the release afterwards sees all of this, or this sees the claim.
    const [mine] = await inside.write(
      `select 1 as mine from release_marks where release_id = ? and claimed_until = ? ${forUpdate}`,
      [dirty.releaseId, moment(dirty.claimedUntil)],
    );
    if (mine === undefined) return false;
    for (const point of points) await storePoint(inside, point);
    await storeLimits(inside, points);
    if (unmoved !== undefined) await storeUnmoved(inside, dirty.releaseId, unmoved);
    await inside.write(
      `update release_marks set dirty = case when revision > ? then 1 else 0 end, claimed_causes = '', claimed_count = 0,
          claimed_until = null, next_time_limit = ? where release_id = ?`,
      [dirty.revision, momentOrNull(access, nextTimeLimit), dirty.releaseId],
    );
    return true;
  });
