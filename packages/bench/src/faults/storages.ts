import { startPostgres } from '../process/postgres.js';
import type { Workshop } from '../process/workshop.js';
import { postgresStorage, type Storage, sqliteStorage } from '../read-back/storage.js';
import type { FaultSize } from './fault-programme.js';

/** One of the databases a programme is run on. */
export interface NamedStorage extends Storage {
  readonly title: 'SQLite' | 'PostgreSQL';
}

/** New databases of both kinds; in a short run SQLite alone. */
export const storagesOf = async (size: FaultSize, workshop: Workshop): Promise<readonly NamedStorage[]> => {
  const sqlite: NamedStorage = { title: 'SQLite', ...sqliteStorage(workshop.path('shipworthy.sqlite')) };
  if (size === 'short') return [sqlite];
  const databaseUrl = await (await startPostgres(workshop, 'durable')).createDatabase('shipworthy');
  return [sqlite, { title: 'PostgreSQL', ...postgresStorage(databaseUrl) }];
};
