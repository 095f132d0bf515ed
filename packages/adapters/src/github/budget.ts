import type { HostBudget } from '@shipworthy/domain';

const shareLeft = ({ limit, remaining }: HostBudget): number => (limit === 0 ? 0 : remaining / limit);

/** Of the budgets of several requests the one that is used up first: REST and GraphQL are counted apart. */
export const tightest = (...budgets: readonly (HostBudget | null)[]): HostBudget | null =>
  budgets.reduce((least, budget) => {
    if (budget === null || least === null) return budget ?? least;
    return shareLeft(budget) < shareLeft(least) ? budget : least;
  }, null);
