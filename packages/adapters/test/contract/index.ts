import { absentGroups, type StoreGroup } from '@shipworthy/domain';
import { expect } from 'chai';
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
import { countedFactsContract } from './facts-counted.contract.js';
import { pendingFactsContract } from './facts-pending.contract.js';
import { sourceFactsContract } from './facts-sources.contract.js';
import { stabilityFactsContract } from './facts-stability.contract.js';
import { verificationFactsContract } from './facts-verification.contract.js';
import { firstDeploymentsContract } from './first-deployments.contract.js';
import { gateChangesContract } from './gate-changes.contract.js';
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
import { type CompleteStores, type Open, type Opened, type OpenOffered, openComplete } from './open-stores.js';
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
import { searchContract } from './search.contract.js';
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
export type { OpenOffered, OpenStores } from './open-stores.js';

/** The suites of the core, in the order they are run. */
const CORE = [
  usersContract,
  sessionsContract,
  apiKeysContract,
  signInsContract,
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
  waiversContract,
  factsContract,
  countedFactsContract,
  sourceFactsContract,
  verificationFactsContract,
  stabilityFactsContract,
  revisionsContract,
  reportsContract,
  finishContract,
  reportKeysContract,
  reportBatchContract,
  idempotencyContract,
  transactionContract,
];

/** The suites of each group of stores that a service can do without. Those of old records are run apart. */
const OF_GROUPS: Readonly<Record<StoreGroup, readonly ((opened: Opened, open: Open) => void)[]>> = {
  audit: [auditContract],
  badges: [badgesContract],
  cdevents: [eventSourcesContract],
  'gate-changes': [gateChangesContract],
  history: [historyContract, historyPointsContract, movesContract],
  host: [
    asOfFactsContract,
    pendingFactsContract,
    hostConnectionsContract,
    hostWorkContract,
    repositoryLinksContract,
    importStateContract,
  ],
  invitations: [invitationsContract],
  'own-axes': [axisReportsContract],
  retention: [],
  search: [searchContract],
  webhooks: [eventsContract, webhooksContract, outboxContract],
};

interface ContractOptions {
  /** Whether old records go a whole month at a time, so that when exactly is for tests of its own. */
  readonly keepsByMonth?: boolean;
  /** The groups of stores that are not there; none unless given. */
  readonly without?: readonly StoreGroup[];
}

/**
 * Proves with mocha that stores keep every promise of the ports. `open` is called once for nearly all suites, which
 * tell their records apart by ids and names of their own, and once more where empty data is needed.
 */
export const storesContract = (
  name: string,
  open: OpenOffered,
  { keepsByMonth = false, without = [] }: ContractOptions = {},
): void => {
  describe(`${name} fulfils the ports`, function () {
    this.timeout(300_000);
    let current: CompleteStores | undefined;
    let absent: readonly StoreGroup[] = [];
    const opened = (): CompleteStores => {
      if (current === undefined) throw new Error('the stores are not open');
      return current;
    };
    const openFor = openComplete(async () => {
      const stores = await open();
      absent = absentGroups(stores.stores);
      return stores;
    }, without);
    before(async () => {
      current = await openFor();
    });
    after(async () => {
      await current?.close();
    });
    it('has the groups of stores that it says', () => {
      expect([...absent].sort()).to.deep.equal([...without].sort());
    });
    for (const suite of CORE) suite(opened, openFor);
    for (const [group, suites] of Object.entries(OF_GROUPS))
      if (!without.includes(group as StoreGroup)) for (const suite of suites) suite(opened, openFor);
    if (!keepsByMonth && !without.includes('retention')) keptRecordsContract(openFor);
  });
};
