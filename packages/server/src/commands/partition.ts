import { migrate, partitionTables } from '@shipworthy/adapters/knex';
import { openConfigured } from './open-stores.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';

/** Partitions the tables of records by months, on PostgreSQL; safe while the server runs. Answers the exit code. */
export const partition = async (outside: Outside): Promise<number> => {
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  if (config.database.kind !== 'postgres') {
    outside.complain('Only PostgreSQL partitions its tables: DATABASE_URL must begin with postgres://.');
    return EXIT.usage;
  }
  try {
    const database = await openConfigured(config.database);
    try {
      await migrate(database);
      const done = await partitionTables(database);
      outside.print(
        done
          ? 'deployments and test_runs are partitioned by months; servers make the coming ones by themselves.'
          : 'deployments and test_runs are partitioned by months already.',
      );
    } finally {
      await database.close();
    }
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
};
