import type { HostIssue } from './host-records.js';
import type { HostIssueFilter } from './repository-link.js';

const segmentsOf = (path: string): readonly string[] =>
  path
    .trim()
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');

/** By whole segments: `net/http` holds `net/http/httptest`, not `net/httputil`. */
const isWithin = (path: string, prefix: readonly string[]): boolean => {
  const segments = segmentsOf(path);
  return prefix.every((segment, index) => segments[index] === segment);
};

/** The paths before a title's first colon, separated by commas; a colon of an ordinary sentence leads nowhere. */
const leadingPaths = (title: string): readonly string[] => {
  const colon = title.indexOf(':');
  if (colon === -1) return [];
  const paths = title
    .slice(0, colon)
    .split(',')
    .map((path) => path.trim());
  return paths.some((path) => /\s/u.test(path)) ? [] : paths.filter((path) => path !== '');
};

const hasLabel = (labels: readonly string[], wanted: readonly string[]): boolean => {
  const given = new Set(labels.map((label) => label.trim().toLowerCase()));
  return wanted.some((label) => given.has(label.trim().toLowerCase()));
};

/** Whether an issue belongs to the project: one of the labels, and a path at or below the prefix, each only if asked for; in any case. */
export const meetsFilter = (
  { title, labels }: Pick<HostIssue, 'title' | 'labels'>,
  filter: HostIssueFilter,
): boolean => {
  if (filter.labels.length > 0 && !hasLabel(labels, filter.labels)) return false;
  if (filter.pathPrefix === null) return true;
  const prefix = segmentsOf(filter.pathPrefix);
  return prefix.length === 0 || [...leadingPaths(title), ...labels].some((path) => isWithin(path, prefix));
};
