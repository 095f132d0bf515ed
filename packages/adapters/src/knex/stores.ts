import type { Stores, StoresWithFeed } from '@shipworthy/domain';
import { invitationStore, sessionStore, signInStore, userStore } from './accounts.js';
import { apiKeyStore } from './api-keys.js';
import { axisReportStore } from './axis-reports-sql.js';
import { checklistStore } from './checklists.js';
import type { Database } from './database.js';
import { deploymentStore } from './deployments-sql.js';
import { translated } from './errors.js';
import { releaseFactsStore } from './facts.js';
import { gateChangeStore } from './gate-changes-sql.js';
import { historyStore } from './history-sql.js';
import { hostConnectionStore } from './host-connections.js';
import { idempotencyStore } from './idempotency-sql.js';
import { issueStore } from './issues-sql.js';
import { despiteLostRaces } from './lost-race.js';
import { keptRecordsStore } from './partitions/tend-sql.js';
import { type Replica, readingAccess } from './postgres/replica.js';
import { badgeStore, eventSourceStore, policyStore, projectStore } from './projects.js';
import { releaseStore, waiverStore } from './releases.js';
import { reportStore } from './reports/record-sql.js';
import { repositoryLinkStore } from './repository-links.js';
import { searchStore } from './search-sql.js';
import { type Access, actingAs, type Failures, translating } from './sql.js';
import { auditStore, teamStore } from './teams.js';
import { testRunStore } from './test-runs-sql.js';
import { eventStore, webhookStore } from './webhooks-sql.js';

const allStores = (access: Access, failures?: Failures): Omit<Stores, 'transaction'> => ({
  teams: translating(teamStore(access), access, failures),
  projects: translating(projectStore(access), access, failures),
  releases: translating(releaseStore(access), access, failures),
  issues: translating(issueStore(access), access, failures),
  checklists: translating(checklistStore(access), access, failures),
  deployments: translating(deploymentStore(access), access, failures),
  testRuns: translating(testRunStore(access), access, failures),
  axisReports: translating(axisReportStore(access), access, failures),
  facts: translating(releaseFactsStore(access), access, failures),
  policies: translating(policyStore(access), access, failures),
  waivers: translating(waiverStore(access), access, failures),
  history: translating(historyStore(access), access, failures),
  gateChanges: translating(gateChangeStore(access), access, failures),
  users: translating(userStore(access), access, failures),
  sessions: translating(sessionStore(access), access, failures),
  apiKeys: translating(apiKeyStore(access), access, failures),
  invitations: translating(invitationStore(access), access, failures),
  signIns: translating(signInStore(access), access, failures),
  audit: translating(auditStore(access), access, failures),
  idempotency: translating(idempotencyStore(access), access, failures),
  reports: translating(reportStore(access), access, failures),
  keptRecords: translating(keptRecordsStore(access), access, failures),
  hostConnections: translating(hostConnectionStore(access), access, failures),
  repositoryLinks: translating(repositoryLinkStore(access), access, failures),
  events: translating(eventStore(access), access, failures),
  webhooks: translating(webhookStore(access), access, failures),
  badges: translating(badgeStore(access), access, failures),
  eventSources: translating(eventSourceStore(access), access, failures),
  search: translating(searchStore(access), access, failures),
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
      throw translated(error);
    }
  },
});

/** All stores on an open database whose schema is up to date. */
export const knexStores = ({ access, feed }: Database): StoresWithFeed => ({ ...outside(access), feed });

/** A replica with the stores that read there. */
export interface ReadReplica extends Pick<Replica, 'behindSeconds' | 'watch'> {
  /**
   * Reads outside a transaction are answered by the replica, if it has everything that was committed when they were asked
   * for, and by the primary if not; transactions and changes always go there.
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
