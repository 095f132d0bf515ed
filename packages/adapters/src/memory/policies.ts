import { type PolicyStore, type PolicyVersion, policyMove } from '@shipworthy/domain';
import { markProject } from './mark.js';
import { greatest, pageDown } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf, type Tables } from './tables.js';

const versionOf = ({ policy, version, changedAt, changedBy }: PolicyVersion): PolicyVersion => ({
  policy,
  version,
  changedAt,
  changedBy,
});

/** The policy a project has now. */
export const currentPolicy = (tables: Tables, projectId: string): PolicyVersion | undefined => {
  const current = greatest(tables.policies.where('project', projectId), ({ version }) => [version]);
  if (current === undefined) return undefined;
  return versionOf(current);
};

export const policyStore = ({ read, change }: TableAccess): PolicyStore => ({
  current: (projectId) => read((tables) => currentPolicy(tables, projectId)),
  versions: (projectId, page) =>
    read(({ policies }) => {
      const { rows, next } = pageDown(policies.where('project', projectId), ({ version }) => [version], page);
      return { rows: rows.map(versionOf), next };
    }),
  add: (projectId, next) =>
    change((tables) => {
      const before = currentPolicy(tables, projectId);
      if (before?.version !== next.version - 1) return false;
      tables.policies.put(keyOf(projectId, next.version), { ...next, projectId });
      markProject(tables, projectId, policyMove(projectId, before.policy, next));
      return true;
    }),
});
