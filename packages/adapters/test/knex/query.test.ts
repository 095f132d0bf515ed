import { expect } from 'chai';
import { knexInside, query, readKept } from '../../src/knex/query.js';
import { counted } from './counted.js';
import { withNew } from './opened.js';

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`a statement of knex’s builder on ${kind}`, () => {
    const places = [1, 2, 3].map((place) => ({ id: `host:${place}` }));

    it('answers rows, one row, columns and counts as knex does', () =>
      withNew(kind, async ({ database: { access } }) => {
        const at = access.dialect.moment(Date.UTC(2026, 0, 1));
        const deliveries = () => query(access).from('hook_deliveries');
        await deliveries().insert(places.map((delivery) => ({ ...delivery, at })));
        const again = await deliveries().insert({ id: 'host:1', at }, ['id']).onConflict('id').ignore();
        expect(again).to.deep.equal([]);
        expect(await deliveries().orderBy('id').pluck('id')).to.deep.equal(['host:1', 'host:2', 'host:3']);
        expect(await deliveries().where('id', 'host:2').first()).to.deep.equal({
          id: 'host:2',
          at: Date.UTC(2026, 0, 1),
        });
        expect(await deliveries().where('id', 'host:4').first()).to.equal(undefined);
        const later = access.dialect.moment(Date.UTC(2026, 0, 2));
        expect(await deliveries().whereNot('id', 'host:3').update({ at: later })).to.equal(2);
        expect(await deliveries().where('id', 'host:3').update({ at: later }, ['id'])).to.deep.equal([
          { id: 'host:3' },
        ]);
        expect(await deliveries().where('id', 'host:4').delete()).to.equal(0);
        expect(await deliveries().where('at', later).delete()).to.equal(3);
      }));

    it('is sent when it is awaited, once, by the access it was given', () =>
      withNew(kind, async ({ database }) => {
        const { database: over, statements } = counted(database);
        const reading = query(over.access).from('hook_deliveries').where('id', 'host:1');
        expect(statements()).to.equal(0);
        await reading;
        expect(statements()).to.equal(1);
      }));

    it('is undone with the part of a transaction it is in', () =>
      withNew(kind, async ({ database: { access } }) => {
        const at = access.dialect.moment(Date.UTC(2026, 0, 1));
        const failed = access.atomically(async (inside) => {
          await query(inside).from('hook_deliveries').insert({ id: 'host:1', at });
          await knexInside(inside)
            .transaction(async (part) => {
              await part('hook_deliveries').insert({ id: 'host:2', at });
              throw new Error('undone');
            })
            .catch(() => undefined);
          expect(await query(inside).from('hook_deliveries').pluck('id')).to.deep.equal(['host:1']);
          throw new Error('all of it');
        });
        expect(await failed.then(() => 'committed', String)).to.equal('Error: all of it');
        expect(await query(access).from('hook_deliveries').pluck('id')).to.deep.equal([]);
      }));

    it('is built once where its plan is kept, and takes new bindings each time', () =>
      withNew(kind, async ({ database: { access } }) => {
        const at = access.dialect.moment(Date.UTC(2026, 0, 1));
        await query(access)
          .from('hook_deliveries')
          .insert(places.map((delivery) => ({ ...delivery, at })));
        let built = 0;
        const read = (id: string) =>
          readKept<{ id: string }>(access, 'test-delivery', [id], (from) => {
            built += 1;
            return from.from('hook_deliveries').where('id', id).select('id');
          });
        expect([await read('host:1'), await read('host:3')]).to.deep.equal([[{ id: 'host:1' }], [{ id: 'host:3' }]]);
        expect(built).to.equal(1);
      }));
  });
