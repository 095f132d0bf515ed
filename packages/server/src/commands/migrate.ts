import { migrate as takeSteps } from '@shipworthy/adapters/knex';
import { openConfigured } from './open-stores.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';
import { requireDatabaseOfKey } from './secret-key.js';

/** Brings the schema of the configured database up to date; safe while other processes run or start. Answers the exit code. */
export const migrate = async (outside: Outside): Promise<number> => {
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  try {
    await requireDatabaseOfKey(config);
    const database = await openConfigured(config.database);
    try {
      await takeSteps(database);
    } finally {
      await database.close();
    }
    outside.print('The schema is up to date.');
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
};
