import type { GitHubServer } from '@shipworthy/adapters/test-host';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Makes a commit hash of forty hexadecimal characters from a number. */
const commit = (number: number): string => number.toString(16).padStart(40, '5');

/** A shop two days before its release 1.0: ten issues, four deployments and the tests of its newest commit. */
export const addSampleShop = ({ data }: GitHubServer, now: number): void => {
  const shop = data.addRepository('acme/shop', { at: now - 90 * DAY });
  data.addRepository('acme/website', { at: now - 400 * DAY, archived: true });
  const at = (daysAgo: number): number => now - daysAgo * DAY;
  const first = data.addMilestone(shop, { title: '1.0', dueOn: now + 2 * DAY, at: at(30) });
  const later = data.addMilestone(shop, { title: '1.1', at: at(30) });

  const add = (title: string, labels: readonly string[], daysAgo: number, milestone = first) =>
    data.addIssue(shop, { title, labels, milestone, at: at(daysAgo) });
  for (const [title, daysAgo] of [
    ['Pay by invoice', 20],
    ['Gift cards', 18],
    ['Saved addresses', 17],
    ['Order history', 12],
  ] as const)
    data.editIssue(add(title, ['enhancement'], daysAgo), { state: 'completed', at: at(daysAgo - 8) });
  add('Translated receipts', ['enhancement', 'in progress'], 9);
  data.editIssue(add('Totals are rounded twice', ['bug', 'severity: critical'], 6), { state: 'completed', at: at(1) });
  data.editIssue(add('Cart is lost on sign-in', ['bug'], 11), { state: 'completed', at: at(4) });
  add('Umlauts in addresses are cut', ['bug', 'severity: minor'], 3);
  data.editIssue(add('Dark receipts', ['enhancement'], 14), { state: 'not_planned', at: at(10) });
  data.editIssue(add('Subscriptions', ['enhancement'], 15), { milestone: later, at: at(5) });

  for (const [number, daysAgo, outcome] of [
    [1, 4, 'success'],
    [2, 3, 'failure'],
    [3, 2, 'success'],
    [4, 1, 'success'],
  ] as const) {
    const began = at(daysAgo);
    const deployment = data.addDeployment(shop, { sha: commit(number), environment: 'production', at: began });
    data.addStatus(deployment, 'in_progress', { at: began + MINUTE });
    data.addStatus(deployment, outcome, { at: began + 6 * MINUTE });
  }
  const checks = ['unit', 'browser', 'accessibility', 'packages'].map((name) => ({
    name,
    conclusion: 'success' as const,
    completedAt: now - HOUR,
  }));
  data.addWorkflowRun(shop, { name: 'CI', sha: commit(4), checks, at: now - 2 * HOUR });
};
