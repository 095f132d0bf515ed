import type { ReportOutcome } from '@shipworthy/domain';
import type { Access } from '../access.js';

interface Reported {
  readonly projectId: string;
  readonly external: { readonly id: string; readonly fingerprint: string } | null;
}

/** What each record's external id already stands for in its project; undefined where it is new or there is none. */
export const knownExternals = async (
  access: Access,
  table: 'deployments' | 'test_runs',
  records: readonly Reported[],
): Promise<readonly (ReportOutcome | undefined)[]> => {
  const named = records.flatMap(({ projectId, external }) => (external === null ? [] : [[projectId, external.id]]));
  if (named.length === 0) return records.map(() => undefined);
  const asked = access.dialect.rowset('v', { project_id: 'id', external_id: 'text' });
  const rows = await access.write<{
    id: string;
    project_id: string;
    external_id: string;
    external_fingerprint: string;
  }>(
    `select r.id, r.project_id, r.external_id, r.external_fingerprint
      from ${asked.table} join ${table} r on r.project_id = v.project_id and r.external_id = v.external_id`,
    asked.bindings(named),
  );
  const known = new Map(rows.map((row) => [`${row.project_id} ${row.external_id}`, row]));
  return records.map(({ projectId, external }) => {
    const row = known.get(`${projectId} ${external?.id}`);
    if (external === null || row === undefined) return undefined;
    const same = row.external_fingerprint === external.fingerprint;
    return { result: same ? 'duplicate' : 'external_id_conflict', id: row.id };
  });
};
