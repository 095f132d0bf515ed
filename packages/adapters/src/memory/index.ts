import type { Stores, StoresWithFeed } from '@shipworthy/domain';
import { apiKeyStore } from './api-key-store.js';
import { auditStore } from './audit-store.js';
import { badgeStore } from './badge-store.js';
import { checklistStore } from './checklist-store.js';
import { deploymentStore } from './deployment-store.js';
import { eventSourceStore } from './event-source-store.js';
import { eventStore } from './event-store.js';
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
import { directAccess, type MemoryData, memoryData, type TableAccess, transactionAccess } from './table-access.js';
import { teamStore } from './team-store.js';
import { testRunStore } from './test-run-store.js';
import { userStore } from './user-store.js';
import { waiverStore } from './waiver-store.js';
import { webhookStore } from './webhook-store.js';

export { type MemoryData, memoryData } from './table-access.js';

const storesOn = (access: TableAccess): Omit<Stores, 'transaction'> => ({
  teams: teamStore(access),
  projects: projectStore(access),
  releases: releaseStore(access),
  issues: issueStore(access),
  checklists: checklistStore(access),
  deployments: deploymentStore(access),
  testRuns: testRunStore(access),
  facts: releaseFactsStore(access),
  policies: policyStore(access),
  waivers: waiverStore(access),
  history: historyStore(access),
  users: userStore(access),
  sessions: sessionStore(access),
  apiKeys: apiKeyStore(access),
  invitations: invitationStore(access),
  signIns: signInStore(access),
  audit: auditStore(access),
  idempotency: idempotencyStore(access),
  reports: reportStore(access),
  keptRecords: keptRecordsStore(access),
  hostConnections: hostConnectionStore(access),
  repositoryLinks: repositoryLinkStore(access),
  events: eventStore(access),
  webhooks: webhookStore(access),
  badges: badgeStore(access),
  eventSources: eventSourceStore(access),
});

const inTransaction = async <Result>(data: MemoryData, work: (stores: Stores) => Promise<Result>): Promise<Result> => {
  const { access, end } = transactionAccess(data);
  let failure: { readonly error: unknown } | undefined;
  const inside: Stores = {
    ...storesOn(access),
    transaction: async (nested) => {
      try {
        return await nested(inside);
      } catch (error) {
        // What a joined transaction throws undoes the whole, even if the work around it goes on.
        failure ??= { error };
        throw error;
      }
    },
  };
  try {
    const result = await inside.transaction(work);
    if (failure !== undefined) throw failure.error;
    end(true);
    return result;
  } catch (error) {
    end(false);
    throw error;
  }
};

/**
 * Stores that keep everything in memory. Bundles made on the same `data` share it. Transactions and single changes run
 * one after the other; reads outside a transaction see what is committed. Rows are kept as they are handed in, so
 * nobody may change a record afterwards.
 */
export const memoryStores = (options: { readonly data?: MemoryData } = {}): StoresWithFeed => {
  const data = options.data ?? memoryData();
  return {
    ...storesOn(directAccess(data)),
    feed: data.feed,
    transaction: (work) => data.inTurn(() => inTransaction(data, work)),
  };
};
