import { policyMove } from '@shipworthy/domain';
import type { PolicyStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY, type Policy, type PolicyVersion } from '@shipworthy/domain/readiness';
import { markProject } from './change-log-sql.js';
import { asJson } from './dialect.js';
import { query, type TableOf } from './query.js';
import { type Access, keysetPage, type Listing } from './sql.js';

interface PolicyColumns {
  readonly project_id: string;
  readonly version: number;
  readonly policy: string;
  readonly environments: string | null;
  readonly verification: Policy['verification'];
  readonly changed_at: number;
  readonly changed_by: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    policies: TableOf<PolicyColumns, 'changed_at'>;
  }
}

export interface PolicyRow {
  readonly policy: string;
  readonly version: number;
  readonly changed_at: number;
  readonly changed_by: string | null;
}

export const policyOf = (row: PolicyRow): PolicyVersion => ({
  policy: JSON.parse(row.policy) as Policy,
  version: row.version,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
});

/** Stores a version of a project's policy; values that statements use have columns of their own. */
export const insertPolicy = async (access: Access, projectId: string, next: PolicyVersion): Promise<void> => {
  const { policy, version, changedAt, changedBy } = next;
  await query(access)
    .from('policies')
    .insert({
      project_id: projectId,
      version,
      policy: asJson(policy),
      environments: policy.environments === null ? null : asJson(policy.environments),
      verification: policy.verification,
      changed_at: access.dialect.moment(changedAt),
      changed_by: changedBy,
    });
};

const policies = (access: Access) =>
  query(access).from('policies as o').select<PolicyRow[]>('o.policy', 'o.version', 'o.changed_at', 'o.changed_by');

const versions = (access: Access, projectId: string): Listing => ({
  rows: policies(access).where('o.project_id', projectId),
  sort: [{ name: 'o.version', kind: 'number' }],
  descending: true,
});

const add = (access: Access, projectId: string, next: PolicyVersion): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { version } = next;
    const current = query(inside)
      .from('projects')
      .where({ id: projectId, policy_version: version - 1 });
    if ((await current.update({ policy_version: version })) === 0) return false;
    await insertPolicy(inside, projectId, next);
    const [before] = await policies(inside).where({ 'o.project_id': projectId, 'o.version': version - 1 });
    await markProject(
      inside,
      projectId,
      policyMove(projectId, before ? policyOf(before).policy : DEFAULT_POLICY, next),
    );
    return true;
  });

export const policyStore = (access: Access): PolicyStore => ({
  current: async (projectId) => {
    const [row] = await policies(access)
      .join('projects as p', (by) => by.on('o.project_id', 'p.id').on('o.version', 'p.policy_version'))
      .where('p.id', projectId);
    return row && policyOf(row);
  },
  versions: (projectId, page) =>
    keysetPage(access, versions(access, projectId), page, policyOf, ({ version }) => [version]),
  add: (projectId, next) => add(access, projectId, next),
});
