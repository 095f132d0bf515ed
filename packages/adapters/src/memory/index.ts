import type { Author, Stores, StoresWithFeed } from '@shipworthy/domain';
import { apiKeyStore, auditStore, invitationStore, sessionStore, signInStore, userStore } from './accounts.js';
import { axisReportStore } from './axis-reports.js';
import { checklistStore } from './checklists.js';
import { deploymentStore } from './deployments.js';
import { releaseFactsStore } from './facts.js';
import { gateChangeStore, historyStore } from './history.js';
import { hostConnectionStore } from './host-connections.js';
import { idempotencyStore } from './idempotency.js';
import { issueStore } from './issues.js';
import { badgeStore, eventSourceStore, policyStore, projectStore } from './projects.js';
import { releaseStore, waiverStore } from './releases.js';
import { keptRecordsStore, reportStore } from './reports.js';
import { repositoryLinkStore } from './repository-links.js';
import { searchStore } from './search.js';
import { directAccess, type MemoryData, memoryData, type TableAccess, transactionAccess } from './tables.js';
import { teamStore } from './teams.js';
import { testRunStore } from './test-runs.js';
import { eventStore, webhookStore } from './webhooks.js';

export { type MemoryData, memoryData, type RowChange } from './tables.js';

const storesOn = (access: TableAccess): Omit<Stores, 'transaction'> => ({
  teams: teamStore(access),
  projects: projectStore(access),
  releases: releaseStore(access),
  issues: issueStore(access),
  checklists: checklistStore(access),
  deployments: deploymentStore(access),
  testRuns: testRunStore(access),
  axisReports: axisReportStore(access),
  facts: releaseFactsStore(access),
  policies: policyStore(access),
  waivers: waiverStore(access),
  history: historyStore(access),
  gateChanges: gateChangeStore(access),
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
  search: searchStore(access),
});

const inTransaction = async <Result>(
  data: MemoryData,
  work: (stores: Stores) => Promise<Result>,
  author: Author | undefined,
): Promise<Result> => {
  const { accessOf, end } = transactionAccess(data);
  let failure: { readonly error: unknown } | undefined;
  const insideAs = (by: Author | undefined): Stores => {
    const inside: Stores = {
      ...storesOn(accessOf(by)),
      transaction: async (nested, other) => {
        try {
          return await nested(other === undefined ? inside : insideAs(other));
        } catch (error) {
          // An error in a joined transaction rolls back the whole, even if the surrounding work goes on.
          failure ??= { error };
          throw error;
        }
      },
    };
    return inside;
  };
  try {
    const result = await insideAs(author).transaction(work);
    if (failure !== undefined) throw failure.error;
    await end(true);
    return result;
  } catch (error) {
    await end(false);
    throw error;
  }
};

/**
 * Stores that keep everything in memory. Bundles made on the same `data` share it. Transactions and single changes run one
 * after the other; reads outside a transaction see what is committed. Rows are kept as they are handed in, so callers must not
 * change a record afterwards.
 */
export const memoryStores = (options: { readonly data?: MemoryData } = {}): StoresWithFeed => {
  const data = options.data ?? memoryData();
  return {
    ...storesOn(directAccess(data)),
    feed: data.feed,
    transaction: (work, by) => data.inTurn(() => inTransaction(data, work, by)),
  };
};
