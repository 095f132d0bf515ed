import { expect } from 'chai';
import { startPostgres } from '../../src/process/postgres.js';
import { inWorkshop } from '../../src/process/workshop.js';
import { postgresQuery } from '../../src/read-back/query.js';
import { COUNTING, statementsOf } from '../../src/read-back/statement-count.js';

describe('the count of statements', () => {
  it('is that of one piece of work, without what comes rarely beside it', () =>
    inWorkshop(async (workshop) => {
      const url = await (await startPostgres(workshop, 'fleeting', COUNTING)).createDatabase('counted');
      const query = postgresQuery(url);
      let times = 0;
      const work = async (): Promise<void> => {
        times += 1;
        await query('select 1 as one');
        await query("select 'two' as two");
        await query("select 'another two' as two");
        if (times % 5 === 0) await query('select now() as rare');
      };
      expect(await statementsOf(query, 10, work)).to.equal(3);
      expect(times).to.equal(10);
    }));
});
