import { migrate, openDatabase } from '@shipworthy/adapters/knex';
import { type PostgresServer, startPostgres } from './embedded-postgres.js';
import { command, type Standby, startStandby } from './standby.js';

/** A database with the whole schema, and the same on the standby. */
export interface FollowedDatabase {
  readonly url: string;
  readonly readUrl: string;
}

/** A server of this process's own with a standby that follows it. */
export interface FollowedServer {
  readonly primary: PostgresServer;
  readonly standby: Standby;
  /** A new database that belongs to a role without privileges. */
  database(name: string): Promise<FollowedDatabase>;
  stop(): Promise<void>;
}

/** Starts both. Nothing is safe from a power cut, but what is committed is in the log by then, as it is in production. */
export const startFollowed = async (): Promise<FollowedServer> => {
  const primary = await startPostgres();
  await command(primary.url, `create role service login password 'service'`);
  await command(primary.url, 'alter role service set synchronous_commit = on');
  const standby = await startStandby(primary).catch(async (error: unknown) => {
    await primary.stop();
    throw error;
  });
  return {
    primary,
    standby,
    database: async (name) => {
      await command(primary.url, `create database ${name} owner service`);
      const own = new URL(primary.url);
      own.username = own.password = 'service';
      own.pathname = name;
      const database = await openDatabase({ url: own.href });
      await migrate(database).finally(() => database.close());
      return { url: own.href, readUrl: standby.urlOf(own.href) };
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
};
