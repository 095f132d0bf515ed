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
import { translated } from './failure.js';
import { historyStore } from './history-store.js';
import { hostConnectionStore } from './host-connection-store.js';
import { idempotencyStore } from './idempotency-store.js';
import { invitationStore } from './invitation-store.js';
import { issueStore } from './issue-store.js';
import { keptRecordsStore } from './kept-records-store.js';
import { policyStore } from './policy-store.js';
import { projectStore } from './project-store.js';
import { releaseFactsStore } from './release-facts-store.js';
import { releaseStore } from './release-store.js';
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
  keptRecords: translating(keptRecordsStore(access), failures),
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

/** All stores on an open database whose schema is up to date. */
export const knexStores = ({ access, feed }: Database): StoresWithFeed => ({
  ...allStores(access),
  feed,
  transaction: async (work) => {
    try {
      return await access.atomically(async (inside) => {
        const failures: Failures = { first: undefined };
        const result = await work(joined(inside, failures));
        if (failures.first !== undefined) throw failures.first;
        return result;
      });
    } catch (error) {
      throw translated(error);
    }
  },
});
