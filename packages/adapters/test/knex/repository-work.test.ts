import { type ImportedIssue, LEAST_PAUSE, type LinkedRepository, type Stores } from '@shipworthy/domain';
import type { ClaimedConnection } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { knexStores, openDatabase } from '../../src/knex/index.js';
import { storedConnection, storedLink } from '../contract/sample-host.js';
import { MINUTE, NOON, sampleIssue, unique } from '../contract/sample-records.js';
import { storedRelease } from '../contract/sample-world.js';
import { openNew } from './opened.js';

const NOTICES = 40;
const HOST = 'host';
const REPOSITORY = 'repository';

/** Who is at a connection, and what was seen of the notices. */
interface Watch {
  readonly busy: Set<string>;
  readonly seen: Set<string>;
  imported: number;
}

/** One step of an import: a page of issues and the new state of the import, in one transaction. */
const step = async (stores: Stores, claim: ClaimedConnection, { link, state }: LinkedRepository, watch: Watch) => {
  const [release] = (await stores.releases.page({ projectId: link.projectId }, { limit: 1, after: null })).rows;
  const changes = [0, 1, 2].map((): ImportedIssue => {
    const externalId = unique('issue');
    const issue = sampleIssue(link.projectId, { releaseId: release?.id ?? null, externalId });
    return { before: null, issue, events: [], wholeHistory: true };
  });
  await stores.transaction(async (inside) => {
    await inside.projects.lock(link.projectId);
    await inside.issues.import(changes);
    const next = { ...state, suspectIssueIds: [], dueAt: NOON + MINUTE };
    expect(await inside.repositoryLinks.save(claim, { link, state: next }, state, NOON)).to.equal(true);
  });
  for (const id of state.suspectIssueIds) watch.seen.add(`${link.id} ${id}`);
  watch.imported += changes.length;
};

/** Works off everything that is due at that moment. */
const work = async (stores: Stores, watch: Watch, now = NOON): Promise<void> => {
  for (;;) {
    const claim = await stores.hostConnections.claimWork(HOST, now, MINUTE, unique('lease'));
    if (claim === undefined) return;
    const { userId } = claim.connection;
    expect(watch.busy.has(userId)).to.equal(false);
    watch.busy.add(userId);
    const due = await stores.repositoryLinks.dueOf(claim.connection, now);
    if (due !== undefined) await step(stores, claim, due, watch);
    watch.busy.delete(userId);
    await stores.hostConnections.keepWork(claim, NOON);
  }
};

describe('work for repositories', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`loses nothing on ${kind} when several services do it while notices come`, async () => {
      const { url, stores, close } = await openNew(kind);
      const links: LinkedRepository[] = [];
      for (let count = 0; count < 3; count += 1) {
        const connection = await storedConnection(stores, { host: HOST });
        for (let turn = 0; turn < 2; turn += 1) {
          const linked = await storedLink(stores, connection, {}, REPOSITORY);
          await storedRelease(stores, linked.link.projectId);
          links.push(linked);
        }
      }
      const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ url, connections: 4, waitMs: 600_000 })));
      const services = databases.map(knexStores);
      const watch: Watch = { busy: new Set(), seen: new Set(), imported: 0 };
      const suspects = Array.from({ length: NOTICES }, (_, notice) => `suspect ${notice}`);
      const notices = async (service: Stores, turn: number): Promise<void> => {
        for (const [notice, id] of suspects.entries()) {
          if (notice % services.length !== turn) continue;
          for (const { link } of links) await service.repositoryLinks.hurryLink(link.id, NOON, [id]);
          const { projectId } = links[notice % links.length]?.link ?? { projectId: '' };
          await service.repositoryLinks.setIssuesAsOf(projectId, notice % 2 === 0 ? NOON : null, NOON);
          await work(service, watch);
        }
      };
      await Promise.all(services.flatMap((service, turn) => [notices(service, turn), work(service, watch)]));
      // A notice that came in the middle of a step makes its link due again after the least pause.
      await work(stores, watch, NOON + LEAST_PAUSE);

      const expected = links.flatMap(({ link }) => suspects.map((id) => `${link.id} ${id}`));
      expect([...watch.seen]).to.have.members(expected);
      let stored = 0;
      for (const { link } of links) {
        const page = await stores.issues.importedPage(link.projectId, { limit: 200, after: null });
        stored += page.rows.length;
        expect((await stores.repositoryLinks.byId(link.id))?.state.dueAt).to.equal(NOON + MINUTE);
      }
      expect(stored).to.equal(watch.imported);
      for (const database of databases) await database.close();
      await close();
    });
  }
});
