import type { Instant } from '@shipworthy/domain';
import type { StoredLink, Tables } from './tables.js';

/**
 * Makes a link due. One that is due by then already becomes due a millisecond earlier than it was: so whoever is at it sees
 * that it was asked for once more.
 */
export const makeDue = (tables: Tables, row: StoredLink, at: Instant, suspects: readonly string[] = []): void => {
  const { link, state } = row.linked;
  const dueAt = Math.min(at, state.dueAt - 1);
  const suspectIssueIds = [...new Set([...state.suspectIssueIds, ...suspects])];
  tables.links.put(link.id, {
    ...row,
    linked: { link, state: { ...state, dueAt, suspectIssueIds } },
    hurried: row.hurried || state.startedAt !== null,
  });
};
