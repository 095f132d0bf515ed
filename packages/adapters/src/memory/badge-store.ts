import type { BadgeStore } from '@shipworthy/domain';
import type { TableAccess } from './table-access.js';

export const badgeStore = ({ read, change }: TableAccess): BadgeStore => ({
  put: (optIn) => change(({ badges }) => badges.put(optIn.projectId, optIn)),
  ofProject: (projectId) => read(({ badges }) => badges.get(projectId)),
  remove: (projectId) => change(({ badges }) => badges.remove(projectId)),
});
