import type { Cause, GateDecision, HistoryPoint, RecordedPoint, Snapshot } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type PolicyRow, policyOf } from './policy-store.js';
import { asJson } from './well-formed.js';

export interface PointRow {
  readonly release_id: string;
  readonly at: number;
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  readonly axes: string;
  readonly causes: string;
  readonly cause_count: number;
}

const COLUMNS = ['release_id', 'at', 'score', 'coverage', 'decision', 'axes', 'causes', 'cause_count'] as const;

/** What a point of the trend is read from. */
export const POINT_COLUMNS = COLUMNS.map((name) => `h.${name}`).join(', ');

export const pointOf = (row: PointRow): HistoryPoint => ({
  releaseId: row.release_id,
  at: row.at,
  score: row.score,
  coverage: row.coverage,
  decision: row.decision,
  axes: JSON.parse(row.axes) as HistoryPoint['axes'],
  causes: JSON.parse(row.causes) as readonly Cause[],
  causeCount: row.cause_count,
});

/** A snapshot as it is stored: its policy stands in a table of its own. */
type StoredSnapshot = Omit<Snapshot, 'policy'>;

/** A point with its snapshot; the policy's columns are null for a point from before snapshots were kept. */
export type RecordedRow = PointRow & { readonly revision: number | null; readonly snapshot: string | null } & (
    | PolicyRow
    | { readonly policy: null }
  );

/** Reads points with their snapshots; conditions on `h` go behind it. */
export const RECORDED = `select ${POINT_COLUMNS}, h.revision, h.snapshot, o.policy, o.version, o.changed_at, o.changed_by
  from history_points h join releases r on r.id = h.release_id
    left join policies o on o.project_id = r.project_id and o.version = h.policy_version`;

const snapshotOf = (row: RecordedRow): Snapshot | null => {
  if (row.snapshot === null || row.policy === null) return null;
  return { ...(JSON.parse(row.snapshot) as StoredSnapshot), policy: policyOf(row) };
};

export const recordedOf = (row: RecordedRow): RecordedPoint => ({
  ...pointOf(row),
  revision: row.revision ?? 0,
  snapshot: snapshotOf(row),
});

const STORED = [...COLUMNS, 'second', 'revision', 'policy_version', 'snapshot'];
const STORE = `insert into history_points (${STORED.join(', ')}) values (${STORED.map(() => '?').join(', ')})
  on conflict (release_id, second) do update set
    ${STORED.filter((name) => name !== 'release_id' && name !== 'second')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

const snapshotText = ({ project, release, facts, waivers }: Snapshot): string =>
  asJson({ project, release, facts, waivers } satisfies StoredSnapshot);

/** Stores a point in place of the one that its second may have. */
export const storePoint = async (access: Access, point: RecordedPoint): Promise<void> => {
  await access.write(STORE, [
    point.releaseId,
    access.dialect.moment(point.at),
    point.score,
    point.coverage,
    point.decision,
    asJson(point.axes),
    asJson(point.causes),
    point.causeCount,
    Math.floor(point.at / 1000),
    point.revision,
    point.snapshot?.policy.version ?? null,
    point.snapshot && snapshotText(point.snapshot),
  ]);
};
