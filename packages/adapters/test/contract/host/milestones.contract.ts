import type { HostAccess, HostReadRequest, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { FIRST, fresh, only, whole } from './whole-reading.js';

const DAY_MS = 86_400_000;
const DUE = Date.UTC(2026, 5, 1);

/** Open and closed milestones. */
export const milestonesContract = (open: OpenHost): void => {
  describe('milestones', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
    });
    const reader = (repository: RepositoryIdentity) => (request: HostReadRequest) =>
      staged().host.reader.milestones(access(), repository, request);

    it('may be none', async () => {
      const reading = fresh(await reader(staged().world.repository({ path: 'milestones/none' }))(FIRST));
      expect([reading.rows, reading.next]).to.deep.equal([[], null]);
    });

    it('come with number, state, due date and address', async () => {
      const repository = staged().world.repository({ path: 'milestones/two' });
      staged().world.milestone(repository, { title: '1.0', dueAt: DUE });
      staged().world.milestone(repository, { title: '0.9', closed: true });
      const { rows } = await whole(reader(repository));
      expect(rows).to.have.length(2);
      const [next, last] = [only(rows, (row) => row.title === '1.0'), only(rows, (row) => row.title === '0.9')];
      expect([next.state, last.state, last.dueAt]).to.deep.equal(['open', 'closed', null]);
      expect(Math.abs((next.dueAt ?? 0) - DUE)).to.be.lessThan(DAY_MS);
      expect(Number.isSafeInteger(next.number) && next.number > 0).to.equal(true);
      expect(next.number).to.not.equal(last.number);
      expect(next.id).to.not.equal(last.id);
      expect(new URL(next.url).protocol).to.match(/^https?:$/);
    });

    it('come all, in pages', async () => {
      const repository = staged().world.repository({ path: 'milestones/many' });
      for (let i = 0; i < 230; i += 1) staged().world.milestone(repository, { title: `m${i}`, closed: i % 2 === 0 });
      const asked = staged().requests().length;
      const { rows } = await whole(reader(repository));
      expect(new Set(rows.map(({ id }) => id)).size).to.equal(230);
      expect(rows).to.have.length(230);
      expect(staged().requests().length - asked).to.be.at.most(Math.ceil(230 / 100) + 2);
    });

    it('are unchanged until one of them changes, where the host tells', async () => {
      const repository = staged().world.repository({ path: 'milestones/still' });
      staged().world.milestone(repository, { title: '1.0' });
      const { validator } = await whole(reader(repository));
      expect(validator !== null).to.equal(staged().gives.validators.milestones);
      if (validator === null) return;
      expect((await reader(repository)({ ...FIRST, validator })).unchanged).to.equal(true);
      staged().world.milestone(repository, { title: '2.0' });
      expect(fresh(await reader(repository)({ ...FIRST, validator })).rows).to.have.length(2);
    });
  });
};
