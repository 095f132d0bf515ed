import type { ActiveRevision, ReleaseFactsStore, ReleaseRevision } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { factsSql } from './facts-sql.js';
import { dossierOf, type FactsRow, factsOf } from './release-facts-row.js';
import { asJson } from './well-formed.js';

const revisions = async (access: Access, releaseIds: readonly string[]) => {
  const { among, list } = access.dialect;
  const rows = await access.read<{ release_id: string; revision: number; changed_at: number }>(
    `select release_id, revision, changed_at from release_marks where ${among('release_id', 'id')}`,
    [list([...new Set(releaseIds)])],
    'release-revisions',
  );
  const byId = new Map<string, ReleaseRevision>(
    rows.map(({ release_id, revision, changed_at }) => [release_id, { revision, changedAt: changed_at }]),
  );
  return releaseIds.map((id) => byId.get(id));
};

const activeRevisions = async (access: Access, projectIds: readonly string[]) => {
  const { among, list } = access.dialect;
  const rows = await access.read<{ project_id: string; release_id: string; revision: number; changed_at: number }>(
    `select r.project_id, m.release_id, m.revision, m.changed_at from releases r
      join release_marks m on m.release_id = r.id where ${among('r.project_id', 'id')} and r.state = 'active'`,
    [list([...new Set(projectIds)])],
    'active-revisions',
  );
  const byProject = new Map<string, ActiveRevision>(
    rows.map(({ project_id, release_id, revision, changed_at }) => [
      project_id,
      { releaseId: release_id, revision, changedAt: changed_at },
    ]),
  );
  return projectIds.map((id) => byProject.get(id));
};

export const releaseFactsStore = (access: Access): ReleaseFactsStore => {
  const asked = access.dialect.rowset('v', { place: 'integer', id: 'id' });
  const { json } = access.dialect.types;
  const sql = factsSql(access.dialect, asked.table);
  const given = `(select cast(? as ${json}) as environments, cast(? as text) as verification) u`;
  const sqlUnder = factsSql(access.dialect, asked.table, given);
  const rowsOf = async (text: string, name: string, releaseIds: readonly string[], more: readonly Value[]) => {
    if (releaseIds.length === 0) return [];
    const ids = asked.bindings(releaseIds.map((id, place) => [place, id]));
    const rows = await access.read<FactsRow>(text, [...ids, ...more], name);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return releaseIds.map((_, place) => byPlace.get(place));
  };
  return {
    factsFor: async (releaseIds) =>
      (await rowsOf(sql, 'release-facts', releaseIds, [])).map((row) => row && dossierOf(row)),
    factsUnder: async (releaseIds, { environments, verification }) => {
      const rules = [environments === null ? null : asJson(environments), verification];
      const rows = await rowsOf(sqlUnder, 'release-facts-under', releaseIds, rules);
      return rows.map((row) => row && factsOf(row));
    },
    revisions: (releaseIds) => revisions(access, releaseIds),
    activeRevisions: (projectIds) => activeRevisions(access, projectIds),
  };
};
