import { postgresOutages } from '../../src/faults/postgres.js';
import { runShort } from './short-run.js';

describe('a PostgreSQL that goes away', () => {
  it('is answered by 503 alone, and nothing acknowledged is lost', async () => {
    await runShort(postgresOutages);
  });
});
