import type { Role } from '../../api/role.js';

/** The roles, weakest first, and what each may do. */
export const ROLES = [
  ['viewer', 'Viewer: sees everything'],
  ['member', 'Member: manages releases, issues and checklists'],
  ['owner', 'Owner: also decides on people, policy and links'],
] as const satisfies readonly (readonly [Role, string])[];
