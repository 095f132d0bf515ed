import { expect } from 'chai';
import { knexStores, openDatabase } from '../../src/knex/index.js';
import { sampleHash, unique } from '../contract/sample-records.js';
import { withNew } from './opened.js';

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`a long answer that is remembered on ${kind}`, () => {
    it('takes little room, and is replayed byte for byte', () =>
      withNew(kind, async ({ stores, database }) => {
        const request = { caller: 'api_key:k1', operation: 'POST /api/batch', key: unique('key'), at: 0 };
        const fingerprint = sampleHash();
        const refused = { result: 'refused', problem: { detail: 'Grüße, "x"\n\u2028', status: 422 } };
        const body = JSON.stringify({ data: Array.from({ length: 1000 }, (_, index) => ({ index, ...refused })) });
        const reply = { status: 200, location: null, body };
        await stores.transaction(async (inside) => {
          await inside.idempotency.take({ ...request, fingerprint });
          await inside.idempotency.remember({ ...request, fingerprint }, reply);
        });
        const [row] = await database.access.read<{ kept: number }>('select length(body) as kept from idempotency');
        expect(Number(row?.kept)).to.be.below(body.length / 5);
        await stores.transaction(async (inside) => {
          expect(await inside.idempotency.take({ ...request, fingerprint })).to.deep.equal({ state: 'taken', reply });
        });
      }));
  });

describe('idempotency keys on PostgreSQL', () => {
  it('that another instance holds are in use at once, and free again when it gave up', () =>
    withNew('PostgreSQL', async ({ url, stores }) => {
      const other = await openDatabase({ url });
      const request = { caller: 'api_key:k1', operation: 'POST /api/teams', key: unique('key') };
      const take = () =>
        knexStores(other).transaction(async (inside) => {
          const taken = await inside.idempotency.take({ ...request, fingerprint: sampleHash(), at: 0 });
          return taken.state;
        });
      const seen = await stores.transaction(async (inside) => {
        await inside.idempotency.take({ ...request, fingerprint: sampleHash(), at: 0 });
        // Would it wait for this transaction, both would wait for each other until the statement's time is up.
        return take();
      });
      expect(seen).to.equal('in_use');
      expect(await take()).to.equal('free');
      await other.close();
    }));

  it('are answered to all who come for a kept answer at once', () =>
    withNew('PostgreSQL', async ({ url, stores }) => {
      const other = await openDatabase({ url });
      const request = { caller: 'api_key:k1', operation: 'POST /api/teams', key: unique('key'), at: 0 };
      const [fingerprint, another] = [sampleHash(), sampleHash()];
      const reply = { status: 201, location: null, body: '{}' };
      await stores.transaction(async (inside) => {
        await inside.idempotency.take({ ...request, fingerprint });
        await inside.idempotency.remember({ ...request, fingerprint }, reply);
      });
      await stores.transaction(async (inside) => {
        expect(await inside.idempotency.take({ ...request, fingerprint })).to.deep.equal({ state: 'taken', reply });
        await knexStores(other).transaction(async (beside) => {
          expect(await beside.idempotency.take({ ...request, fingerprint })).to.deep.equal({ state: 'taken', reply });
          expect((await beside.idempotency.take({ ...request, fingerprint: another })).state).to.equal('reused');
        });
      });
      await other.close();
    }));
});
