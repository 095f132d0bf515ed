import { policyMove } from '@shipworthy/domain';
import type { PolicyStore } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY, type Policy, type PolicyVersion } from '@shipworthy/domain/readiness';
import { markProject } from './change-log.js';
import { asJson } from './dialect.js';
import { type Access, insert, keysetPage, update } from './sql.js';

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

/** Stores a version of a project's policy; what statements look at stands in columns of its own. */
export const insertPolicy = (access: Access, projectId: string, next: PolicyVersion): Promise<void> => {
  const { policy, version, changedAt, changedBy } = next;
  return insert(access, 'policies', {
    project_id: projectId,
    version,
    policy: asJson(policy),
    environments: policy.environments === null ? null : asJson(policy.environments),
    verification: policy.verification,
    changed_at: access.dialect.moment(changedAt),
    changed_by: changedBy,
  });
};

export const policyStore = (access: Access): PolicyStore => ({
  current: async (projectId) => {
    const [row] = await access.read<PolicyRow>(
      `select o.policy, o.version, o.changed_at, o.changed_by
        from projects p join policies o on o.project_id = p.id and o.version = p.policy_version where p.id = ?`,
      [projectId],
    );
    return row && policyOf(row);
  },
  versions: (projectId, page) => {
    const listing = {
      select: 'select o.policy, o.version, o.changed_at, o.changed_by from policies o',
      conditions: ['o.project_id = ?'],
      bindings: [projectId],
      sort: [{ name: 'o.version', kind: 'number' }],
      descending: true,
    } as const;
    return keysetPage(access, listing, page, policyOf, ({ version }) => [version]);
  },
  add: (projectId, next) =>
    access.atomically(async (inside) => {
      const { version } = next;
      const bindings = [projectId, version - 1];
      if (
        (await update(inside, 'projects', { policy_version: version }, 'id = ? and policy_version = ?', bindings)) === 0
      )
        return false;
      await insertPolicy(inside, projectId, next);
      const [before] = await inside.write<{ policy: string }>(
        'select policy from policies where project_id = ? and version = ?',
        [projectId, version - 1],
      );
      const former = before === undefined ? DEFAULT_POLICY : (JSON.parse(before.policy) as Policy);
      await markProject(inside, projectId, policyMove(projectId, former, next));
      return true;
    }),
});
