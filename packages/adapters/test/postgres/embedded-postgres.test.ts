import { expect } from 'chai';
import pg from 'pg';
import { killed, startChild } from '../knex/child.js';
import { startPostgres } from './embedded-postgres.js';

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

const STARTER = `
  import { startPostgres } from '${new URL('./embedded-postgres.js', import.meta.url).href}';
  console.log((await startPostgres()).url);`;

describe('a PostgreSQL server for tests', () => {
  it('whose starter was killed is ended by the next start, and by no other end', async () => {
    const starter = startChild(STARTER);
    const left = await new Promise<string>((done) =>
      starter.stdout?.once('data', (url: Buffer) => done(String(url).trim())),
    );
    const mine = await startPostgres();
    expect(await answers(left), 'while its starter lives').to.equal(true);
    await killed(starter);
    expect(await answers(left), 'when its starter is gone').to.equal(true);
    const next = await startPostgres();
    expect(await answers(left), 'after the next start').to.equal(false);
    expect(await answers(mine.url), 'one that is in use').to.equal(true);
    await mine.stop();
    await next.stop();
    expect(await answers(next.url), 'after its stop').to.equal(false);
  });
});
