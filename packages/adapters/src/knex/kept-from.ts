import type { Access } from './access.js';
import { floorOf, HOUR } from './buckets.js';

const DAY = 24 * HOUR;

/**
 * From when on the deployments of a project `p` stay when those from before `v.before` go, both milliseconds since 1970: then,
 * or from the day on in which its first open release begins.
 */
export const keptFrom = ({ dialect: { least, milliseconds } }: Access): string => {
  const first = `(select min(r.starts_at) from releases r where r.project_id = p.id and r.state in ('planned', 'active'))`;
  return `${floorOf(`${least}(v.before, coalesce(${milliseconds(first)}, v.before))`, DAY)} * ${DAY}`;
};
