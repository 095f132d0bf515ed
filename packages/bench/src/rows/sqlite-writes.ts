import { startBaseline } from '../baseline/baseline-process.js';
import { sqliteQuery } from '../read-back/query.js';
import { sqliteStorage } from '../read-back/storage.js';
import { compareWrites } from './durable-writes.js';
import type { Row } from './row.js';

/** Durable writes on SQLite. */
export const sqliteWrites: Row = {
  name: 'sqlite-writes',
  title: 'Durable writes on SQLite (write-ahead log, synchronous FULL)',
  run: async (size, workshop) => {
    const subject = sqliteStorage(workshop.path('shipworthy.sqlite'));
    const bareFile = workshop.path('bare.sqlite');
    const bare = { port: await startBaseline(workshop, 'sqlite-insert', bareFile), query: sqliteQuery(bareFile) };
    return compareWrites(workshop, size, subject, bare, {
      against: 'bare node:http and sqlite3, one prepared INSERT per request',
      aims: [{ of: 'ratio', least: 4 }],
      whyMissed:
        'the aim was set on a disk that took 900 to 1,900 single commits a second, and one that takes more helps the baseline alone: the server commits many requests at once and is bound by its one thread, not by the disk. A cheaper way of a request through that thread, or a slower disk, reaches it.',
    });
  },
};
