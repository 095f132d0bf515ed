import type { HostAccess, HostReading } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted, refusal } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { FIRST, fresh } from './whole-reading.js';

const SHA = 'b'.repeat(40);

/** What a grant may read. */
export const repositoriesContract = (open: OpenHost): void => {
  describe('repositories', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
    });
    const listed = (text: string | null, limit = 50, page: string | null = null) =>
      staged().host.reader.repositories(access(), { text, limit, page });
    const paths = async (text: string | null) => (await listed(text)).rows.map(({ path }) => path);

    it('may be none', async () => {
      expect(await listed(null)).to.deep.equal({ rows: [], next: null });
    });

    it('are those that can be read, by path, found by any part of it in any case', async () => {
      const { world } = staged();
      world.repository({ path: 'acme/shop', private: true, defaultBranch: 'trunk' });
      world.repository({ path: 'acme/Pay', archived: true });
      world.repository({ path: 'zoo/shop' });
      world.repository({ path: 'acme/hidden', private: true, hidden: true });
      expect(await paths(null)).to.deep.equal(['acme/Pay', 'acme/shop', 'zoo/shop']);
      expect(await paths('SHOP')).to.deep.equal(['acme/shop', 'zoo/shop']);
      expect(await paths('e/pa')).to.deep.equal(['acme/Pay']);
      expect(await paths('nothing of the kind')).to.deep.equal([]);
      const shop = await staged().host.reader.repository(access(), 'acme/shop');
      expect(shop).to.include({ path: 'acme/shop', private: true, archived: false, defaultBranch: 'trunk' });
      expect(new URL(shop.url).protocol).to.match(/^https?:$/);
      const [pay] = (await listed('pay')).rows;
      expect(pay).to.include({ private: false, archived: true, defaultBranch: 'main' });
    });

    it('come in pages, each of them once', async () => {
      for (let i = 10; i < 31; i += 1) staged().world.repository({ path: `many/repository-${i}` });
      const all: string[] = [];
      let page: string | null = null;
      do {
        const { rows, next } = await listed('many/', 4, page);
        expect(rows.length).to.be.at.most(4);
        all.push(...rows.map(({ path }) => path));
        page = next;
      } while (page !== null);
      expect(all).to.deep.equal(Array.from({ length: 21 }, (_, i) => `many/repository-${i + 10}`));
    });

    it('are not found when they do not exist, cannot be read, or could have no such path', async () => {
      for (const path of ['acme/none', 'acme/hidden', 'nonsense', '', 'acme/shop/../../user', 'a b/c?d']) {
        const refused = await refusal(staged().host.reader.repository(access(), path));
        expect(refused.code, path).to.equal('not-found');
      }
      const hidden = staged().world.repository({ path: 'acme/hidden-too', private: true, hidden: true });
      for (const read of ['milestones', 'issues', 'deployments'] as const) {
        const refused = await refusal(staged().host.reader[read](access(), hidden, FIRST));
        expect(refused.code, read).to.equal('not-found');
      }
    });

    it('stay the same under another path, and are read by the old one', async () => {
      const { world, host } = staged();
      const old = world.repository({ path: 'acme/before' });
      world.issue(old, { title: 'moved along', at: staged().clock() });
      world.renameRepository(old, 'acme/after');
      const found = await host.reader.repository(access(), 'acme/before');
      expect(found).to.include({ id: old.id, path: 'acme/after' });
      const reading = fresh(await host.reader.issues(access(), old, FIRST));
      expect(reading.rows.map(({ title }) => title)).to.deep.equal(['moved along']);
    });

    it('are read by their id, under any new path, and when another repository has the old one', async () => {
      const { world, host } = staged();
      const old = world.repository({ path: 'acme/once', defaultBranch: 'trunk' });
      world.renameRepository(old, 'zoo/now');
      const other = world.repository({ path: 'acme/once' });
      const [found, taken] = [
        await host.reader.repository(access(), old),
        await host.reader.repository(access(), { id: other.id }),
      ];
      expect(found).to.include({ id: old.id, path: 'zoo/now', defaultBranch: 'trunk' });
      expect(taken).to.include({ id: other.id, path: 'acme/once' });
      const hidden = world.repository({ path: 'acme/hidden-by-id', private: true, hidden: true });
      for (const id of [hidden.id, '987654321', '0', '', 'acme/once', '../user']) {
        const refused = await refusal(host.reader.repository(access(), { id }));
        expect(refused.code, id).to.equal('not-found');
      }
    });

    it('are not mistaken for another one that has taken their old path', async () => {
      const { world, host } = staged();
      const old = world.repository({ path: 'acme/taken' });
      world.renameRepository(old, 'acme/left');
      const other = world.repository({ path: 'acme/taken' });
      world.issue(other, { title: 'not ours', at: staged().clock() });
      world.milestone(other, { title: 'not ours either' });
      const reads: (() => Promise<HostReading<unknown>>)[] = [
        () => host.reader.issues(access(), old, FIRST),
        () => host.reader.milestones(access(), old, FIRST),
      ];
      if (host.gives.deployments) {
        world.deployment(other, { environment: 'production', commitSha: SHA, ref: 'main', at: staged().clock() });
        reads.push(() => host.reader.deployments(access(), old, FIRST));
      }
      for (const source of host.gives.testRuns) {
        const checks = [{ name: 'unit', outcome: 'passed', finishedAt: staged().clock() }] as const;
        world.testRun(other, source, { suite: 'CI', commitSha: SHA, checks });
        reads.push(() => host.reader.testRuns(access(), old, source, FIRST));
      }
      for (const read of reads) {
        const rows = await read().then(
          (reading) => fresh(reading).rows,
          (error: { readonly code?: unknown }) => error.code,
        );
        expect(rows, String(read)).to.be.deep.oneOf(['not-found', []]);
      }
    });
  });
};
