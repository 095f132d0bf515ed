import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { postgresConnections } from '../../../src/knex/postgres-connections.js';
import { attemptsOn } from '../../../src/knex/replica/attempts.js';

const POSITION = { log: 'db 1 00000001', lsn: '0/5' };
const LIMITS = { waitMs: 50, readMs: 100 };

const poolTo = (port: number): Knex =>
  postgresConnections({ url: `postgres://a:b@127.0.0.1:${port}/c`, connections: 2, waitMs: 1000, statementMs: 1000 });

/** A server that takes connections and says nothing. */
const muteServer = async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close };
};

describe('attempts at reading on a replica', () => {
  it('end soon where nobody says anything, or listens', async () => {
    const mute = await muteServer();
    const pools = [mute.port, 9].map(poolTo);
    for (const pool of pools) {
      const attempts = attemptsOn(pool, LIMITS);
      const found = await Promise.all(
        [{ text: 'select 1' }, null].map((statement) => attempts.read(POSITION, statement)),
      );
      expect(found).to.deep.equal(['failed', 'failed']);
      expect(attempts.behindSeconds).to.equal(null);
    }
    mute.close();
    await Promise.all(pools.map((pool) => pool.destroy()));
  });
});
