import { flushTime } from '../disk/flush-time.js';
import { onSlowerDisk } from '../disk/slower-disk.js';
import type { Line } from '../measure/line.js';
import { postgresWrites } from './postgres-writes.js';
import type { Row } from './row.js';
import { sqliteWrites } from './sqlite-writes.js';

const LONGER_MS = 1;
const MISSED =
  'with the disk out of the way the server is bound by its one thread; more processes on more cores, or a cheaper way of a request through that thread, reach it.';

/** The two rows of durable writes on a disk that takes longer to flush, such as one across a network. */
export const slowerDiskWrites: Row = {
  name: 'slower-disk-writes',
  title: `Durable writes where each flush to the disk takes ${LONGER_MS} ms longer`,
  run: (size, workshop) => {
    const own = flushTime(workshop.path('flushed'));
    return onSlowerDisk(workshop, LONGER_MS, async () => {
      const postgres = await postgresWrites.run(size, workshop);
      const sqlite = await sqliteWrites.run(size, workshop);
      const named = (database: string, lines: readonly Line[]): readonly Line[] =>
        lines.map((line) => ({ ...line, what: `${database}: ${line.what}`, whyMissed: MISSED }));
      return {
        lines: [...named('PostgreSQL', postgres.lines), ...named('SQLite', sqlite.lines)],
        verifiedRecords: postgres.verifiedRecords + sqlite.verifiedRecords,
        remarks: [
          `Everybody's fsync and fdatasync sleep before they flush. Without that this machine's disk flushes in ${own.toFixed(2)} ms.`,
          ...postgres.remarks.slice(0, 1),
        ],
      };
    });
  },
};
