import type { HostAccess, HostReadRequest, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { FIRST, fresh, only, whole } from './whole-reading.js';

const AT = Date.UTC(2026, 0, 5, 12);
const SECOND = 1000;

/** Reading issues: first, since, page by page, and not at all when nothing changed. */
export const issuesContract = (open: OpenHost): void => {
  describe('issues', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
    });
    const reader = (repository: RepositoryIdentity) => (request: HostReadRequest) =>
      staged().host.reader.issues(access(), repository, request);
    const many = (path: string, count: number): RepositoryIdentity => {
      const repository = staged().world.repository({ path });
      for (let i = 0; i < count; i += 1) {
        staged().world.issue(repository, { title: `i${i}`, at: AT + i * SECOND });
      }
      return repository;
    };
    const titles = (rows: readonly { readonly title: string }[]) => rows.map(({ title }) => title);

    it('may be none', async () => {
      const reading = fresh(await reader(many('issues/none', 0))(FIRST));
      expect([reading.rows, reading.next]).to.deep.equal([[], null]);
    });

    it('come with all that is known of them, without proposals to merge', async () => {
      const { world, gives, host } = staged();
      const repository = world.repository({ path: 'issues/one' });
      const milestone = world.milestone(repository, { title: '1.0' });
      const type = 'incident';
      world.issue(repository, { title: 'Rounds wrong', labels: ['bug', 'pay'], milestone, type, at: AT });
      world.changeRequest(repository, 'Round right', AT + SECOND);
      const { rows } = await whole(reader(repository));
      const issue = only(rows, () => true);
      expect(issue).to.include({ number: 1, title: 'Rounds wrong', state: 'open', createdAt: AT, updatedAt: AT });
      expect(issue).to.include({ closedAs: null, closedAt: null });
      expect([...issue.labels].sort()).to.deep.equal(['bug', 'pay']);
      if (gives.types) expect(issue.type?.toLowerCase()).to.equal(type);
      else expect(issue.type).to.equal(null);
      const milestones = await host.reader.milestones(access(), repository, FIRST);
      expect(issue.milestoneId).to.equal(fresh(milestones).rows[0]?.id);
      expect(new URL(issue.url).protocol).to.match(/^https?:$/);
    });

    it('come least recently changed first, each of them once, in pages', async () => {
      const repository = many('issues/many', 230);
      const asked = staged().requests().length;
      const { rows } = await whole(reader(repository));
      expect(titles(rows)).to.deep.equal(Array.from({ length: 230 }, (_, i) => `i${i}`));
      expect(new Set(rows.map(({ id }) => id)).size).to.equal(230);
      expect(staged().requests().length - asked).to.be.at.most(Math.ceil(230 / 100) + 2);
    });

    it('come again when they change during a reading', async () => {
      const { world } = staged();
      const repository = world.repository({ path: 'issues/moving' });
      const early = world.issue(repository, { title: 'early', at: AT });
      for (let i = 1; i < 150; i += 1) world.issue(repository, { title: `i${i}`, at: AT + i * SECOND });
      const first = fresh(await reader(repository)(FIRST));
      expect(titles(first.rows)).to.include('early');
      world.retitle(early, 'early, but changed', AT + 500 * SECOND);
      const { rows } = await whole(reader(repository), { ...FIRST, page: first.next });
      expect(titles(rows).at(-1)).to.equal('early, but changed');
      const seen = new Set([...titles(first.rows), ...titles(rows)]);
      for (let i = 1; i < 150; i += 1) expect(seen.has(`i${i}`), `i${i} was left out`).to.equal(true);
    });

    it('come from a moment on, that one included', async () => {
      const repository = many('issues/since', 10);
      const since = AT + 7 * SECOND;
      const { rows } = await whole(reader(repository), { ...FIRST, since });
      expect(titles(rows)).to.deep.equal(['i7', 'i8', 'i9']);
      expect((await whole(reader(repository), { ...FIRST, since: AT + 60 * SECOND })).rows).to.deep.equal([]);
    });

    it('are unchanged until one of them changes, where the host tells', async () => {
      const { world } = staged();
      const repository = many('issues/still', 3);
      const issue = world.issue(repository, { title: 'the newest', at: AT + 3 * SECOND });
      const { validator } = await whole(reader(repository));
      expect(validator !== null).to.equal(staged().gives.validators.issues);
      if (validator === null) return;
      expect((await reader(repository)({ ...FIRST, since: AT, validator })).unchanged).to.equal(true);
      world.label(issue, ['bug'], AT + 10 * SECOND);
      const since = AT + 3 * SECOND;
      const { rows, validator: next } = await whole(reader(repository), { ...FIRST, since, validator });
      expect(titles(rows)).to.deep.equal(['the newest']);
      expect((await reader(repository)({ ...FIRST, since, validator: next })).unchanged).to.equal(true);
      world.issue(repository, { title: 'newer still', at: AT + 20 * SECOND });
      expect((await reader(repository)({ ...FIRST, since, validator: next })).unchanged).to.equal(false);
    });
  });
};
