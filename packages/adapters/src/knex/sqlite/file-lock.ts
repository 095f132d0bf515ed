import { resolve } from 'node:path';
import { DomainError } from '@shipworthy/domain';
import { type LocalFeed, localFeed } from '../../event-feed/local-feed.js';
import { codeOf } from '../errors.js';
import { closed, connected, exec, makePrivate, pragmas, type SqliteConnection } from './connection.js';

interface Hold {
  readonly connection: SqliteConnection;
  readonly feed: LocalFeed;
  users: number;
}

const held = new Map<string, Promise<Hold>>();

/**
 * Keeps every other process from the file, waiting a little for one that is just ending, until the connection is closed.
 * DomainError `unavailable` when another one holds it.
 */
export const lockFile = async (file: string, waitMs: number): Promise<SqliteConnection> => {
  await makePrivate(`${file}.lock`);
  const connection = await connected(`${file}.lock`);
  try {
    // The lock is the operating system's: it ends with the process, however that ends.
    await exec(connection, `pragma busy_timeout = ${waitMs}; begin exclusive;`);
    return connection;
  } catch (error) {
    await closed(connection);
    // Other failures, such as a full disk, do not mean that another process has the file.
    if (codeOf(error) !== 'SQLITE_BUSY') throw error;
    throw new DomainError('unavailable', `Another process has ${file} open; one process uses a file at a time.`, {
      file,
    });
  }
};

const takeHold = async (file: string, waitMs: number): Promise<Hold> => {
  const connection = await lockFile(file, waitMs);
  try {
    await makePrivate(file);
    // Several connections that turn the log on at once would be refused without waiting for each other.
    const first = await connected(file);
    await exec(first, pragmas('')).finally(() => closed(first));
  } catch (error) {
    await closed(connection);
    throw error;
  }
  return { connection, feed: localFeed(), users: 0 };
};

/** A file this process holds. */
interface ClaimedFile {
  /** The one feed of the file, however often it is open. */
  readonly feed: LocalFeed;
  giveBack(): Promise<void>;
}

/**
 * Claims a file for this process, waiting a little for a process that is just ending.
 * DomainError `unavailable` when another process holds it.
 */
export const claimFile = async (file: string, waitMs: number): Promise<ClaimedFile> => {
  const path = resolve(file);
  const claim = held.get(path) ?? takeHold(path, waitMs);
  held.set(path, claim);
  const hold = await claim.catch((error: unknown) => {
    held.delete(path);
    throw error;
  });
  hold.users += 1;
  const giveBack = async (): Promise<void> => {
    hold.users -= 1;
    if (hold.users > 0) return;
    held.delete(path);
    await closed(hold.connection);
  };
  return { feed: hold.feed, giveBack };
};
