import type { Stores } from '@shipworthy/domain';
import { DomainError } from '@shipworthy/domain';
import type { RememberedReply } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { expectRefused } from './expectations.js';
import type { Opened } from './open-stores.js';
import { sampleRequest, sampleUser } from './sample-access.js';
import { AWKWARD, DAY, NOON, sampleDeployment, sampleHash } from './sample-records.js';
import { storedProject } from './sample-world.js';

const REPLY: RememberedReply = { status: 201, location: '/api/teams/1', body: `{"data":"${AWKWARD}\\n"}` };

type Request = ReturnType<typeof sampleRequest>;

const take = (stores: Stores, request: Request) => stores.transaction((inside) => inside.idempotency.take(request));

const takeAndRemember = (stores: Stores, request: Request, reply = REPLY) =>
  stores.transaction(async (inside) => {
    const taken = await inside.idempotency.take(request);
    if (taken.state === 'free') await inside.idempotency.remember(request, reply);
    return taken;
  });

/** IdempotencyStore. */
export const idempotencyContract = (opened: Opened): void => {
  describe('idempotency keys', () => {
    it('are free once, and then answer the remembered reply to the byte', async () => {
      const { stores, again } = opened();
      const request = sampleRequest({ key: 'key-!"#$%&\'()*+,./:;<=>?@[\\]^_`{|}~' });
      expect(await takeAndRemember(stores, request)).to.deep.equal({ state: 'free' });
      expect(await takeAndRemember(again, request)).to.deep.equal({ state: 'taken', reply: REPLY });
      expect(await take(again, { ...request, at: NOON + DAY })).to.deep.equal({ state: 'taken', reply: REPLY });
    });

    it('remember a reply without a location, and one without a body', async () => {
      const { stores, again } = opened();
      const request = sampleRequest();
      const reply = { status: 204, location: null, body: '' };
      await takeAndRemember(stores, request, reply);
      expect(await take(again, request)).to.deep.equal({ state: 'taken', reply });
    });

    it('belong to one body, one caller and one operation', async () => {
      const { stores, again } = opened();
      const request = sampleRequest();
      await takeAndRemember(stores, request);
      expect(await take(again, { ...request, fingerprint: sampleHash() })).to.deep.equal({ state: 'reused' });
      for (const other of [
        { caller: `else${request.caller}` },
        { operation: 'POST /else' },
        { key: `${request.key}!` },
      ]) {
        expect(await take(again, { ...request, ...other })).to.deep.equal({ state: 'free' });
      }
    });

    it('are free again when the transaction fails', async () => {
      const { stores, again } = opened();
      const request = sampleRequest();
      const user = sampleUser();
      const failing = stores.transaction(async (inside) => {
        expect(await inside.idempotency.take(request)).to.deep.equal({ state: 'free' });
        await inside.users.create(user, 'hash');
        await inside.idempotency.remember(request, REPLY);
        throw new DomainError('forbidden', 'not today');
      });
      await expectRefused(failing, 'forbidden');
      expect(await again.users.byId(user.id)).to.equal(undefined);
      expect(await takeAndRemember(again, request)).to.deep.equal({ state: 'free' });
    });

    it('are free again, for any body, when nothing was remembered', async () => {
      const { stores, again } = opened();
      const request = sampleRequest();
      const other = { ...request, fingerprint: sampleHash() };
      expect(await take(stores, request)).to.deep.equal({ state: 'free' });
      expect(await takeAndRemember(stores, other)).to.deep.equal({ state: 'free' });
      expect(await take(again, other)).to.deep.equal({ state: 'taken', reply: REPLY });
    });

    it('let one of many at once through', async () => {
      const { stores, again } = opened();
      const request = sampleRequest();
      let effects = 0;
      const attempt = () =>
        stores.transaction(async (inside) => {
          const taken = await inside.idempotency.take(request);
          if (taken.state === 'free') {
            effects += 1;
            await inside.users.create(sampleUser(), 'hash');
            await inside.idempotency.remember(request, REPLY);
          }
          return taken;
        });
      const taken = await Promise.all(Array.from({ length: 6 }, attempt));
      expect(effects).to.equal(1);
      expect(taken.filter(({ state }) => state === 'free')).to.have.lengthOf(1);
      for (const each of taken) {
        if (each.state === 'taken') expect(each.reply).to.deep.equal(REPLY);
        else expect(each.state).to.be.oneOf(['free', 'in_use']);
      }
      expect(await take(again, request)).to.deep.equal({ state: 'taken', reply: REPLY });
    });

    it('are shared by reports and other requests', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const remember = { request: sampleRequest(), reply: REPLY };
      const entry = { kind: 'deployment', deployment: sampleDeployment(project.id), remember } as const;
      await stores.reports.record([entry]);
      expect(await take(again, remember.request)).to.deep.equal({ state: 'taken', reply: REPLY });
      const request = sampleRequest();
      await takeAndRemember(stores, request);
      const late = { ...entry, deployment: sampleDeployment(project.id), remember: { request, reply: REPLY } };
      expect(await stores.reports.record([late])).to.deep.equal([{ result: 'replayed', reply: REPLY }]);
      expect(await again.deployments.byIds([late.deployment.id])).to.deep.equal([undefined]);
    });

    it('are forgotten when old', async () => {
      const { stores, again } = opened();
      const long = NOON - 300 * DAY;
      await stores.idempotency.removeBefore(long);
      const requests = [-2, -1, 0].map((offset) => sampleRequest({ at: long + offset }));
      for (const request of requests) await takeAndRemember(stores, request);
      expect(await stores.idempotency.removeBefore(long)).to.equal(2);
      expect(await stores.idempotency.removeBefore(long)).to.equal(0);
      const states = [];
      for (const request of requests) states.push((await take(again, request)).state);
      expect(states).to.deep.equal(['free', 'free', 'taken']);
    });
  });
};
