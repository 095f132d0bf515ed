import type { Stores, StoresWithFeed } from '@shipworthy/domain';
import { invitationStore, sessionStore, signInStore, userStore } from './accounts.js';
import { apiKeyStore } from './api-keys.js';
import { axisReportStore } from './axis-reports-sql.js';
import { checklistStore } from './checklists.js';
import type { Database } from './database.js';
import { deploymentStore } from './deployments-sql.js';
import { despiteLostRaces, domainErrorOf } from './errors.js';
import { releaseFactsStore } from './facts.js';
import { gateChangeStore } from './gate-changes-sql.js';
import { historyStore } from './history-sql.js';
import { hostConnectionStore } from './host-connections.js';
import { idempotencyStore } from './idempotency-sql.js';
import { issueStore } from './issues-sql.js';
import { keptRecordsStore } from './kept-records-sql.js';
import { type Replica, readingAccess } from './postgres/replica.js';
import { badgeStore, eventSourceStore, policyStore, projectStore } from './projects.js';
import { releaseStore, waiverStore } from './releases.js';
import { reportStore } from './reports/record-sql.js';
import { repositoryLinkStore } from './repository-links.js';
import { searchStore } from './search-sql.js';
import { type Access, actingAs, type Failures, withDomainErrors } from './sql.js';
import { auditStore, teamStore } from './teams.js';
import { testRunStore } from './test-runs-sql.js';
import { eventStore, webhookStore } from './webhooks-sql.js';

const allStores = (access: Access, failures?: Failures): Omit<Stores, 'transaction'> => ({
  teams: withDomainErrors(teamStore(access), access, failures),
  projects: withDomainErrors(projectStore(access), access, failures),
  releases: withDomainErrors(releaseStore(access), access, failures),
  issues: withDomainErrors(issueStore(access), access, failures),
  checklists: withDomainErrors(checklistStore(access), access, failures),
  deployments: withDomainErrors(deploymentStore(access), access, failures),
  testRuns: withDomainErrors(testRunStore(access), access, failures),
  axisReports: withDomainErrors(axisReportStore(access), access, failures),
  facts: withDomainErrors(releaseFactsStore(access), access, failures),
  policies: withDomainErrors(policyStore(access), access, failures),
  waivers: withDomainErrors(waiverStore(access), access, failures),
  history: withDomainErrors(historyStore(access), access, failures),
  gateChanges: withDomainErrors(gateChangeStore(access), access, failures),
  users: withDomainErrors(userStore(access), access, failures),
  sessions: withDomainErrors(sessionStore(access), access, failures),
  apiKeys: withDomainErrors(apiKeyStore(access), access, failures),
  invitations: withDomainErrors(invitationStore(access), access, failures),
  signIns: withDomainErrors(signInStore(access), access, failures),
  audit: withDomainErrors(auditStore(access), access, failures),
  idempotency: withDomainErrors(idempotencyStore(access), access, failures),
  reports: withDomainErrors(reportStore(access), access, failures),
  keptRecords: withDomainErrors(keptRecordsStore(access), access, failures),
  hostConnections: withDomainErrors(hostConnectionStore(access), access, failures),
  repositoryLinks: withDomainErrors(repositoryLinkStore(access), access, failures),
  events: withDomainErrors(eventStore(access), access, failures),
  webhooks: withDomainErrors(webhookStore(access), access, failures),
  badges: withDomainErrors(badgeStore(access), access, failures),
  eventSources: withDomainErrors(eventSourceStore(access), access, failures),
  search: withDomainErrors(searchStore(access), access, failures),
});

/** The stores inside a transaction. An error that is no refusal fails the whole transaction, even if it was caught. */
const joined = (access: Access, failures: Failures): Stores => {
  const stores: Stores = {
    ...allStores(access, failures),
    transaction: async (work, by) => {
      try {
        return await work(by === undefined ? stores : joined(actingAs(access, by), failures));
      } catch (error) {
        failures.first ??= error;
        throw error;
      }
    },
  };
  return stores;
};

const outside = (access: Access): Stores => ({
  ...allStores(access),
  transaction: async (work, by) => {
    try {
      return await despiteLostRaces(() =>
        access.atomically(async (inside) => {
          const failures: Failures = { first: undefined };
          const result = await work(joined(by === undefined ? inside : actingAs(inside, by), failures));
          if (failures.first !== undefined) throw failures.first;
          return result;
        }),
      );
    } catch (error) {
      throw domainErrorOf(error);
    }
  },
});

/** All stores on an open database whose schema is up to date. */
export const knexStores = ({ access, feed }: Database): StoresWithFeed => ({ ...outside(access), feed });

/** A replica with the stores that read there. */
export interface ReadReplica extends Pick<Replica, 'behindSeconds' | 'watch'> {
  /**
   * The replica answers reads outside a transaction if it has everything that was committed when they were asked for;
   * otherwise the primary does. Transactions and changes always go to the primary.
   */
  readonly stores: Stores;
}

/** The replica the database was opened with; null when there is none. */
export const knexReplica = ({ access, replica }: Database): ReadReplica | null =>
  replica && {
    stores: outside(readingAccess(access, replica)),
    watch: replica.watch,
    get behindSeconds() {
      return replica.behindSeconds;
    },
  };
