import { startBaseline } from '../baseline/baseline-process.js';
import { startPostgres } from '../process/postgres.js';
import { postgresQuery } from '../read-back/query.js';
import { postgresStorage } from '../read-back/storage.js';
import { compareWrites } from './durable-writes.js';
import type { Row } from './row.js';

/** Durable writes on PostgreSQL. */
export const postgresWrites: Row = {
  name: 'postgres-writes',
  title: 'Durable writes on PostgreSQL (fsync, synchronous_commit and full_page_writes on)',
  run: async (size, workshop) => {
    const postgres = await startPostgres(workshop, 'durable');
    const subject = postgresStorage(await postgres.createDatabase('shipworthy'));
    const bareUrl = await postgres.createDatabase('bare');
    const bare = { port: await startBaseline(workshop, 'postgres-insert', bareUrl), query: postgresQuery(bareUrl) };
    return compareWrites(workshop, size, subject, bare, {
      against: 'bare node:http and pg, one prepared INSERT per request',
      aims: [{ of: 'ratio', least: 1.5 }],
      whyMissed:
        'the server is bound by its one thread, which reads, authenticates, validates, attributes and answers every request and shares two cores with database and load; the baseline leaves all work to PostgreSQL, whose commit on a fast disk costs little. More processes on more cores reach it, as does a slower disk, where one commit for many requests counts for more: the aim was set where the baseline stored 3,500 to 7,400 a second.',
    });
  },
};
