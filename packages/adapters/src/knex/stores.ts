import type { Stores, StoresWithFeed } from '@shipworthy/domain';
import { type Access, type Failures, translating } from './access.js';
import { apiKeyStore } from './api-key-store.js';
import { auditStore } from './audit-store.js';
import { badgeStore } from './badge-store.js';
import { checklistStore } from './checklist-store.js';
import type { Database } from './database.js';
import { deploymentStore } from './deployment-store.js';
import { eventSourceStore } from './event-source-store.js';
import { eventStore } from './event-store.js';
import { isLostRace, translated } from './failure.js';
import { historyStore } from './history-store.js';
import { hostConnectionStore } from './host-connection-store.js';
import { idempotencyStore } from './idempotency-store.js';
import { invitationStore } from './invitation-store.js';
import { issueStore } from './issue-store.js';
import { policyStore } from './policy-store.js';
import { projectStore } from './project-store.js';
import { releaseFactsStore } from './release-facts-store.js';
import { releaseStore } from './release-store.js';
import { readingAccess } from './replica/reading-access.js';
import type { Replica } from './replica/replica.js';
import { reportStore } from './report-store.js';
import { repositoryLinkStore } from './repository-link-store.js';
import { sessionStore } from './session-store.js';
import { signInStore } from './sign-in-store.js';
import { teamStore } from './team-store.js';
import { testRunStore } from './test-run-store.js';
import { userStore } from './user-store.js';
import { waiverStore } from './waiver-store.js';
import { webhookStore } from './webhook-store.js';

const allStores = (access: Access, failures?: Failures): Omit<Stores, 'transaction'> => ({
  teams: translating(teamStore(access), failures),
  projects: translating(projectStore(access), failures),
  releases: translating(releaseStore(access), failures),
  issues: translating(issueStore(access), failures),
  checklists: translating(checklistStore(access), failures),
  deployments: translating(deploymentStore(access), failures),
  testRuns: translating(testRunStore(access), failures),
  facts: translating(releaseFactsStore(access), failures),
  policies: translating(policyStore(access), failures),
  waivers: translating(waiverStore(access), failures),
  history: translating(historyStore(access), failures),
  users: translating(userStore(access), failures),
  sessions: translating(sessionStore(access), failures),
  apiKeys: translating(apiKeyStore(access), failures),
  invitations: translating(invitationStore(access), failures),
  signIns: translating(signInStore(access), failures),
  audit: translating(auditStore(access), failures),
  idempotency: translating(idempotencyStore(access), failures),
  reports: translating(reportStore(access), failures),
  hostConnections: translating(hostConnectionStore(access), failures),
  repositoryLinks: translating(repositoryLinkStore(access), failures),
  events: translating(eventStore(access), failures),
  webhooks: translating(webhookStore(access), failures),
  badges: translating(badgeStore(access), failures),
  eventSources: translating(eventSourceStore(access), failures),
});

/** The stores inside a transaction. What fails there other than by refusal fails the whole, even if it was caught. */
const joined = (access: Access, failures: Failures): Stores => {
  const stores: Stores = {
    ...allStores(access, failures),
    transaction: async (work) => {
      try {
        return await work(stores);
      } catch (error) {
        failures.first ??= error;
        throw error;
      }
    },
  };
  return stores;
};

const TRIES = 3;

const outside = (access: Access): Stores => ({
  ...allStores(access),
  transaction: async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await access.atomically(async (inside) => {
          const failures: Failures = { first: undefined };
          const result = await work(joined(inside, failures));
          if (failures.first !== undefined) throw failures.first;
          return result;
        });
      } catch (error) {
        // All of it was undone only because two waited for each other: the same again finds the other one done.
        if (!isLostRace(error) || attempt === TRIES) throw translated(error);
      }
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
