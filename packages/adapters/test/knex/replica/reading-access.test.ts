import { expect } from 'chai';
import { openDatabase } from '../../../src/knex/database.js';
import { knexReplica, knexStores } from '../../../src/knex/stores.js';
import { auditContract } from '../../contract/audit.contract.js';
import { deploymentsContract } from '../../contract/deployments.contract.js';
import { factsContract } from '../../contract/facts.contract.js';
import { verificationFactsContract } from '../../contract/facts-verification.contract.js';
import { historyContract } from '../../contract/history.contract.js';
import { historyPointsContract } from '../../contract/history-points.contract.js';
import { issuesContract } from '../../contract/issues.contract.js';
import { notCountedContract } from '../../contract/not-counted.contract.js';
import type { OpenStores } from '../../contract/open-stores.js';
import { policyPreviewContract } from '../../contract/policy-preview.contract.js';
import { projectsContract } from '../../contract/projects.contract.js';
import { releasesContract } from '../../contract/releases.contract.js';
import { testRunsContract } from '../../contract/test-runs.contract.js';
import { type FollowedServer, startFollowed } from '../../postgres/followed.js';

/** What the operations read that a replica may answer. */
const SUITES = [
  auditContract,
  projectsContract,
  policyPreviewContract,
  releasesContract,
  issuesContract,
  deploymentsContract,
  testRunsContract,
  notCountedContract,
  factsContract,
  verificationFactsContract,
  historyContract,
  historyPointsContract,
];

describe('the stores that read on a replica what another instance stores', () => {
  let server: FollowedServer | undefined;
  let current: OpenStores | undefined;
  let databases = 0;
  let readThere = 0;
  let readHere = 0;

  /** What one instance stores on the primary is read back by another one on the replica. */
  const open = async (): Promise<OpenStores> => {
    server ??= await startFollowed();
    databases += 1;
    const where = await server.database(`contract_${databases}`);
    const database = await openDatabase({ url: where.url });
    const second = await openDatabase(where);
    const replica = knexReplica(second);
    if (replica === null) throw new Error('no replica');
    replica.watch({
      read: (how) => {
        if (how === 'replica') readThere += 1;
        else readHere += 1;
      },
      changed: () => {},
    });
    return {
      stores: knexStores(database),
      again: { ...replica.stores, feed: second.feed },
      close: async () => {
        await second.close();
        await database.close();
      },
    };
  };

  before(async () => {
    current = await open();
  });
  const opened = (): OpenStores => {
    if (current === undefined) throw new Error('the stores are not open');
    return current;
  };
  for (const suite of SUITES) suite(opened);

  after(async () => {
    await current?.close();
    await server?.stop();
    expect(readThere, `and ${readHere} on the primary`).to.be.above(0);
  });
});
