import type { HostAccess, HostBudget, HostReadRequest, RepositoryName } from '@shipworthy/domain';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests, RouteParameters } from './requests.js';

/** What the newest row, asked for by itself, says about the whole list. */
export interface Probe {
  readonly unchanged: boolean;
  readonly validator: string | null;
  readonly budget: HostBudget | null;
}

/** Continuing a reading needs no probe: it began with one. */
const CONTINUED: Probe = { unchanged: false, validator: null, budget: null };

/**
 * Whether a list changed, by a conditional GET of its newest row: when GitHub answers 304 it costs nothing of the budget.
 * It is asked before the rows are read, so that whatever changes meanwhile counts as changed the next time.
 */
export const changedProbe =
  (requests: GithubRequests, list: 'issues' | 'deployments', parameters: RouteParameters) =>
  async (access: HostAccess, repository: RepositoryName, request: HostReadRequest): Promise<Probe> => {
    if (request.page !== null) return CONTINUED;
    const got = await requests.get(
      access,
      `GET /repos/{owner}/{repo}/${list}`,
      { ...ownerAndName(repository.path), ...parameters, per_page: 1 },
      // 410: issues are switched off; the query answers an empty list then.
      { missing: 'repository', nothingAt: [410], validator: request.validator },
    );
    return {
      unchanged: got.kind === 'unchanged',
      validator: got.kind === 'data' ? got.validator : null,
      budget: got.budget,
    };
  };
