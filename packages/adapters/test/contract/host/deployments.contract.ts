import type { HostAccess, HostReadRequest, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { FIRST, fresh, only, whole } from './whole-reading.js';

const AT = Date.UTC(2026, 3, 4, 8);
const MINUTE = 60_000;
const DAY = 86_400_000;
const SHA = 'c0ffee'.padEnd(40, '0');

/** Deployments with their states and the moments of these. */
export const deploymentsContract = (open: OpenHost): void => {
  describe('deployments', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
    });
    const seed = (at: number) => ({ environment: 'production', commitSha: SHA, ref: 'main', at });
    const reader = (repository: RepositoryIdentity) => (request: HostReadRequest) =>
      staged().host.reader.deployments(access(), repository, request);
    const rowsOf = async (repository: RepositoryIdentity) => (await whole(reader(repository))).rows;

    it('come with environment, commit and how they went', async () => {
      const { world } = staged();
      const repository = world.repository({ path: 'deployed/states' });
      for (const [place, state] of (['success', 'failure', 'started', 'queued', 'other'] as const).entries()) {
        const at = AT + place * DAY;
        const deployment = world.deployment(repository, { ...seed(at), environment: state });
        if (state !== 'queued') world.enterState(deployment, 'started', at + MINUTE);
        if (state !== 'started') world.enterState(deployment, state, at + 2 * MINUTE);
      }
      const rows = await rowsOf(repository);
      expect(rows).to.have.length(5);
      for (const [place, state] of (['success', 'failure', 'started', 'queued', 'other'] as const).entries()) {
        const row = only(rows, ({ environment }) => environment === state);
        expect(row).to.include({ commitSha: SHA, ref: 'main', createdAt: AT + place * DAY });
        const last = row.states.at(-1);
        expect(last?.state ?? 'queued', state).to.equal(state);
        if (state === 'success' || state === 'failure') {
          expect(last?.at, state).to.equal(AT + place * DAY + 2 * MINUTE);
        }
        const moments = row.states.map(({ at }) => at);
        expect(moments).to.deep.equal([...moments].sort((a, b) => a - b));
        if (state !== 'queued')
          expect(row.states.some((each) => each.state === 'success')).to.equal(state === 'success');
      }
    });

    it('finished at their real end, even if the host touches them later', async () => {
      const { world } = staged();
      const repository = world.repository({ path: 'deployed/touched' });
      const deployment = world.deployment(repository, seed(AT));
      world.enterState(deployment, 'started', AT + MINUTE);
      world.enterState(deployment, 'success', AT + 2 * MINUTE);
      world.touchDeployment(deployment, AT + DAY);
      const row = only(await rowsOf(repository), () => true);
      expect(row.states.at(-1)).to.deep.equal({ state: 'success', at: AT + 2 * MINUTE });
    });

    it('keep the order of states that were entered within one second', async () => {
      const { world } = staged();
      const repository = world.repository({ path: 'deployed/at-once' });
      const deployment = world.deployment(repository, seed(AT));
      for (const state of ['started', 'success'] as const) world.enterState(deployment, state, AT);
      const { states } = only(await rowsOf(repository), () => true);
      expect(states.at(-1)).to.deep.equal({ state: 'success', at: AT });
    });

    it('come all, in pages, at one request per hundred', async () => {
      const repository = staged().world.repository({ path: 'deployed/many' });
      for (let i = 0; i < 230; i += 1) staged().world.deployment(repository, seed(AT + i * MINUTE));
      const asked = staged().requests().length;
      const rows = await rowsOf(repository);
      expect(new Set(rows.map(({ id }) => id)).size).to.equal(230);
      expect(rows).to.have.length(230);
      const readWhole = staged().requests().length;
      expect(readWhole - asked).to.be.at.most(Math.ceil(230 / 100) + 2);
      const recent = await whole(reader(repository), { ...FIRST, since: AT + 220 * MINUTE });
      expect(recent.rows).to.have.length(10);
      expect(staged().requests().length - readWhole, 'what is past is not read again').to.be.at.most(2);
    });

    it('come from a moment on, that one included', async () => {
      const repository = staged().world.repository({ path: 'deployed/since' });
      for (const day of [0, 1, 2]) staged().world.deployment(repository, seed(AT + day * DAY));
      const { rows } = await whole(reader(repository), { ...FIRST, since: AT + DAY });
      expect(rows.map(({ createdAt }) => createdAt).sort()).to.deep.equal([AT + DAY, AT + 2 * DAY]);
    });

    it('are unchanged until another one is made, where the host tells', async () => {
      const repository = staged().world.repository({ path: 'deployed/still' });
      staged().world.deployment(repository, seed(AT));
      const { validator } = await whole(reader(repository));
      expect(validator !== null).to.equal(staged().gives.validators.deployments);
      if (validator === null) return;
      expect((await reader(repository)({ ...FIRST, since: AT, validator })).unchanged).to.equal(true);
      staged().world.deployment(repository, seed(AT + DAY));
      expect(fresh(await reader(repository)({ ...FIRST, since: AT + MINUTE, validator })).rows).to.have.length(1);
    });

    it('are found by id, with the states they have now', async () => {
      const { world, host } = staged();
      const repository = world.repository({ path: 'deployed/by-id' });
      const deployment = world.deployment(repository, seed(AT));
      world.enterState(deployment, 'started', AT + MINUTE);
      const before = only(await rowsOf(repository), () => true);
      world.enterState(deployment, 'failure', AT + 2 * MINUTE);
      const found = await host.reader.deploymentsById(access(), repository, [before.id, '999999999']);
      expect(found.rows.map(({ id }) => id)).to.deep.equal([before.id]);
      expect(found.rows[0]?.states.at(-1)).to.deep.equal({ state: 'failure', at: AT + 2 * MINUTE });
      const none = await host.reader.deploymentsById(access(), repository, []);
      expect(none).to.deep.equal({ rows: [], budget: null });
    });
  });
};
