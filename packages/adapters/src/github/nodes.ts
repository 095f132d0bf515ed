import { type Fields, fieldsOf, numberOf, surprising } from './fields.js';

/**
 * What `nodes(ids)` answered, place by place: null where there is nothing (any more). An answer without a place for each id
 * is none, or everything would seem to be gone.
 */
export const placesOf = (data: Fields, count: number): readonly unknown[] => {
  const nodes: unknown = data.nodes;
  if (!Array.isArray(nodes) || nodes.length !== count) throw surprising('nodes');
  return nodes;
};

/**
 * The nodes of one kind that still belong to the repository. Each stands under the id that was asked for: the host may answer
 * with another spelling of it.
 */
export const nodesOfRepository = (
  data: Fields,
  ids: readonly string[],
  kind: 'Issue' | 'Deployment',
  repositoryId: string,
): readonly Fields[] => {
  const places = placesOf(data, ids.length);
  return ids.flatMap((id, place) => {
    const node = places[place] ?? null;
    const fields = node === null ? {} : fieldsOf(node, 'node');
    if (fields.__typename !== kind) return [];
    const home = numberOf(fieldsOf(fields.repository, 'repository'), 'databaseId');
    return String(home) === repositoryId ? [{ ...fields, id }] : [];
  });
};
