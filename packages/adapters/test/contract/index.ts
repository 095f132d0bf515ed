import { apiKeysContract } from './api-keys.contract.js';
import { auditContract } from './audit.contract.js';
import { axisReportsContract } from './axis-reports.contract.js';
import { badgesContract } from './badges.contract.js';
import { checklistsContract } from './checklists.contract.js';
import { demoContract } from './demo.contract.js';
import { deploymentsContract } from './deployments.contract.js';
import { eventSourcesContract } from './event-sources.contract.js';
import { eventsContract } from './events.contract.js';
import { factsContract } from './facts.contract.js';
import { asOfFactsContract } from './facts-as-of.contract.js';
import { pendingFactsContract } from './facts-pending.contract.js';
import { sourceFactsContract } from './facts-sources.contract.js';
import { stabilityFactsContract } from './facts-stability.contract.js';
import { verificationFactsContract } from './facts-verification.contract.js';
import { firstDeploymentsContract } from './first-deployments.contract.js';
import { historyContract } from './history.contract.js';
import { historyPointsContract } from './history-points.contract.js';
import { hostConnectionsContract } from './host-connections.contract.js';
import { hostWorkContract } from './host-work.contract.js';
import { idempotencyContract } from './idempotency.contract.js';
import { importStateContract } from './import-state.contract.js';
import { importedIssuesContract } from './imported-issues.contract.js';
import { invitationsContract } from './invitations.contract.js';
import { issueEventsContract } from './issue-events.contract.js';
import { issuesContract } from './issues.contract.js';
import { keptRecordsContract } from './kept-records.contract.js';
import { movesContract } from './moves.contract.js';
import { notCountedContract } from './not-counted.contract.js';
import type { Open, OpenStores } from './open-stores.js';
import { outboxContract } from './outbox.contract.js';
import { policiesContract } from './policies.contract.js';
import { policyPreviewContract } from './policy-preview.contract.js';
import { projectsContract } from './projects.contract.js';
import { releasesContract } from './releases.contract.js';
import { reportsContract } from './reports.contract.js';
import { reportBatchContract } from './reports-batch.contract.js';
import { finishContract } from './reports-finish.contract.js';
import { reportKeysContract } from './reports-keys.contract.js';
import { repositoryLinksContract } from './repository-links.contract.js';
import { revisionsContract } from './revisions.contract.js';
import { sessionsContract } from './sessions.contract.js';
import { signInsContract } from './sign-ins.contract.js';
import { teamsContract } from './teams.contract.js';
import { testRunsContract } from './test-runs.contract.js';
import { transactionContract } from './transaction.contract.js';
import { usersContract } from './users.contract.js';
import { waiversContract } from './waivers.contract.js';
import { webhooksContract } from './webhooks.contract.js';

export { hostContract } from './host/host-contract.js';
export type * from './host/host-stage.js';
export type * from './host/host-world.js';
export type { Open, OpenStores } from './open-stores.js';

/** Every suite, in the order they are run. */
const SUITES = [
  usersContract,
  sessionsContract,
  apiKeysContract,
  invitationsContract,
  signInsContract,
  auditContract,
  teamsContract,
  demoContract,
  projectsContract,
  policiesContract,
  policyPreviewContract,
  releasesContract,
  issuesContract,
  importedIssuesContract,
  issueEventsContract,
  checklistsContract,
  deploymentsContract,
  firstDeploymentsContract,
  testRunsContract,
  notCountedContract,
  axisReportsContract,
  waiversContract,
  factsContract,
  asOfFactsContract,
  pendingFactsContract,
  sourceFactsContract,
  verificationFactsContract,
  stabilityFactsContract,
  revisionsContract,
  historyContract,
  historyPointsContract,
  movesContract,
  reportsContract,
  finishContract,
  reportKeysContract,
  reportBatchContract,
  idempotencyContract,
  hostConnectionsContract,
  hostWorkContract,
  repositoryLinksContract,
  importStateContract,
  transactionContract,
  eventsContract,
  webhooksContract,
  outboxContract,
  badgesContract,
  eventSourcesContract,
];

/**
 * Proves with mocha that stores keep every promise of the ports. `open` is called once for nearly all suites, which
 * tell their records apart by ids and names of their own, and once more where empty data is needed.
 * @param keepsByMonth whether old records go a whole month at a time, so that when exactly is for tests of its own
 */
export const storesContract = (name: string, open: Open, { keepsByMonth = false } = {}): void => {
  describe(`${name} fulfils the ports`, function () {
    this.timeout(300_000);
    let current: OpenStores | undefined;
    const opened = (): OpenStores => {
      if (current === undefined) throw new Error('the stores are not open');
      return current;
    };
    before(async () => {
      current = await open();
    });
    after(async () => {
      await current?.close();
    });
    for (const suite of SUITES) suite(opened, open);
    if (!keepsByMonth) keptRecordsContract(open);
  });
};
