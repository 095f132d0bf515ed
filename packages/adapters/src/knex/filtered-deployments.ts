import type { Deployment, DeploymentFilter, DeploymentStatus, Page, PageRequest } from '@shipworthy/domain';
import type { Access } from './access.js';
import { FOREVER } from './buckets.js';
import type { Value } from './dialect.js';
import { hoursHolding, joinedHours } from './hours-holding.js';
import { newestIn } from './newest-in.js';

/** The kept counts that hold deployments of a status. */
const COUNTS: Readonly<Record<DeploymentStatus | 'any', readonly string[]>> = {
  started: ['started'],
  success: ['success', 'returned'],
  failure: ['failure'],
  any: ['started', 'success', 'failure', 'returned'],
};

/**
 * One page of a project's deployments in one environment or of one status, newest first. Only the hours that hold such
 * deployments are looked through, and the kept counts tell which: among millions, a rare one would have to be looked for in
 * all of them. undefined when deployments were finished meanwhile, so that the hours hold fewer than a page has.
 */
export const filteredPage = async (
  access: Access,
  { projectId, environment, status, started }: DeploymentFilter,
  page: PageRequest,
): Promise<Page<Deployment> | undefined> => {
  const bound: Value[] = environment === undefined ? [] : [environment];
  const inEnvironment = (table: string): string => (environment === undefined ? '' : `and ${table}.environment = ?`);
  const some = (count: string): string =>
    `${COUNTS[status ?? 'any'].map((name) => `${count}.${name}`).join(' + ')} > 0`;
  const to = Math.min(page.after === null ? FOREVER : Number(page.after[0]) + 1, started?.to ?? FOREVER);
  const from = started?.from ?? null;
  // Every hour holds one at least, but for the first and the last one, which the filter and the page before cut.
  const most = page.limit + 3;
  const hours = await hoursHolding(access, projectId, {
    condition: (count) => `${some(count)} ${inEnvironment(count)}`,
    bindings: bound,
    from,
    to,
    most,
  });
  const spans = joinedHours(hours).map((span) => ({
    from: Math.max(span.from, from ?? span.from),
    to: Math.min(span.to, to),
    mark: 0,
  }));
  const found = await newestIn(access, projectId, page, {
    spans: spans.filter((span) => span.from < span.to),
    condition: `${status === undefined ? 'true' : 'd.status = ?'} ${inEnvironment('d')}`,
    bindings: [...(status === undefined ? [] : [status]), ...bound],
  });
  return found.next === null && hours.length === most ? undefined : found;
};
