import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { type CarryOut, postgresConnections } from '../../../src/knex/postgres/connection.js';
import {
  attemptsOn,
  fitness,
  newestPosition,
  type ReplicaProgress,
  type ReplicaReading,
  readAt,
  type Unfit,
} from '../../../src/knex/postgres/replica.js';
import type { Access } from '../../../src/knex/sql.js';

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
  it('end soon when the server is silent or the port is closed', async () => {
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

const FRESH: ReplicaProgress = { follows: true, fresh: true, behind: 0.1 };
const BEHIND: ReplicaProgress = { follows: true, fresh: false, behind: 3 };
const STRANGER: ReplicaProgress = { follows: false, fresh: true, behind: null };

/** A replica that says these one after the other, the last one for ever, and answers each read with its number. Pauses take no time. */
const replicaThatSays = (...says: readonly ReplicaProgress[]) => {
  const sent: string[] = [];
  const carryOut: CarryOut = async ({ name, values }) => {
    if (name !== 'replica_progress') return [sent.push('read')];
    expect(values).to.deep.equal(['db 1 00000001', '0/5']);
    sent.push('progress');
    return [says[Math.min(sent.filter((each) => each === 'progress').length, says.length) - 1]];
  };
  const noted: ReplicaProgress[] = [];
  const pauses: number[] = [];
  const read = (changes: Partial<ReplicaReading> = {}) =>
    readAt(carryOut, {
      position: { log: 'db 1 00000001', lsn: '0/5' },
      statement: { text: 'select 1' },
      waitMs: 30,
      pause: async (ms) => void pauses.push(ms),
      together: false,
      noted: (progress) => void noted.push(progress),
      abandoned: () => false,
      ...changes,
    });
  return { read, sent, noted, pauses };
};

describe('readAt', () => {
  it('begins to read when the replica was seen to be far enough', async () => {
    const { read, sent, noted } = replicaThatSays(BEHIND, BEHIND, FRESH);
    expect(await read()).to.deep.equal({ rows: [4] });
    expect(sent).to.deep.equal(['progress', 'progress', 'progress', 'read']);
    expect(noted).to.deep.equal([BEHIND, BEHIND, FRESH]);
  });

  it('reads in the same round trip, and uses what comes only if it was far enough before', async () => {
    const fresh = replicaThatSays(FRESH);
    expect(await fresh.read({ together: true })).to.deep.equal({ rows: [2] });
    expect(fresh.sent).to.deep.equal(['progress', 'read']);
    const behind = replicaThatSays(BEHIND, FRESH);
    expect(await behind.read({ together: true })).to.deep.equal({ rows: [4] });
    expect(behind.sent).to.deep.equal(['progress', 'read', 'progress', 'read']);
  });

  it('pauses for that long and no longer, each time twice as long', async () => {
    const { read, sent, pauses } = replicaThatSays(BEHIND);
    expect(await read()).to.equal('behind');
    expect(pauses).to.deep.equal([1, 2, 4, 8]);
    expect(sent).to.deep.equal(Array.from({ length: 5 }, () => 'progress'));
  });

  it('does not wait for what is no replica of that database', async () => {
    const { read, sent } = replicaThatSays(STRANGER);
    expect(await read()).to.equal('stranger');
    expect(sent).to.deep.equal(['progress']);
  });

  it('looks without reading', async () => {
    const { read, sent } = replicaThatSays(FRESH);
    expect(await read({ statement: null, together: true })).to.deep.equal({ rows: [] });
    expect(sent).to.deep.equal(['progress']);
  });

  it('sends no query when no caller waits', async () => {
    const { read, sent } = replicaThatSays(FRESH);
    expect(await read({ abandoned: () => true })).to.equal('behind');
    expect(sent).to.deep.equal([]);
  });
});

const watched = () => {
  let time = 1_000_000;
  const changes: (Unfit | null)[] = [];
  const state = fitness(
    () => time,
    (cause) => void changes.push(cause),
  );
  /** Milliseconds until it is looked at, and what that look finds. */
  const restThenFind = (cause: Unfit | null): number => {
    const from = time;
    while (!state.takeLook()) time += 1;
    state.looked(cause);
    return time - from;
  };
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { state, changes, restThenFind, pass };
};

describe('the fitness of a replica', () => {
  it('lasts until a read fails, is told once, and comes back by a look', () => {
    const { state, changes, restThenFind } = watched();
    expect(state.fit).to.equal(true);
    expect(state.takeLook(), 'what is fit needs no look').to.equal(false);
    for (const cause of ['behind', 'failed'] as const) state.failed(cause);
    expect(state.fit).to.equal(false);
    expect(restThenFind(null)).to.equal(100);
    expect(state.fit).to.equal(true);
    expect(changes).to.deep.equal(['behind', null]);
  });

  it('is looked for by one at a time', () => {
    const { state, pass } = watched();
    state.failed('failed');
    pass(100);
    expect([state.takeLook(), state.takeLook()]).to.deep.equal([true, false]);
    state.failed('failed');
    expect(state.takeLook(), 'a read that ends while a look is taken is no look').to.equal(false);
    state.looked('failed');
    expect(state.fit).to.equal(false);
  });

  it('is looked for ever more rarely, at least every five seconds', () => {
    const { state, restThenFind } = watched();
    state.failed('stranger');
    const rests = Array.from({ length: 8 }, () => restThenFind('stranger'));
    expect(rests).to.deep.equal([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('that comes and goes is rested for longer and longer, until it has lasted', () => {
    const { state, restThenFind, pass } = watched();
    const restOnce = (): number => {
      state.failed('behind');
      return restThenFind(null);
    };
    expect([restOnce(), restOnce(), restOnce()]).to.deep.equal([100, 200, 400]);
    pass(5001);
    expect(restOnce()).to.equal(100);
  });
});

/** A primary whose answers come when they are let out. */
const slowPrimary = () => {
  const open: (() => void)[] = [];
  let asked = 0;
  const read = () => {
    asked += 1;
    const lsn = `0/${asked}`;
    return new Promise((done) => open.push(() => done([{ log: 'db 1 00000001', lsn }])));
  };
  // Behind the turn in which a batch begins; a timer may come before it.
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  return { access: { read } as unknown as Access, asked: () => asked, open, turn };
};

describe('newestPosition', () => {
  it('asks once for all who ask together, and never answers who asked later with what was asked before', async () => {
    const { access, asked, open, turn } = slowPrimary();
    const newest = newestPosition(access);
    const early = Array.from({ length: 50 }, () => newest());
    await turn();
    expect(asked()).to.equal(1);
    const later = Array.from({ length: 50 }, () => newest());
    await turn();
    expect(asked()).to.equal(2);
    const last = newest();
    await turn();
    expect(asked(), 'two at a time').to.equal(2);
    open[0]?.();
    for (const { lsn } of await Promise.all(early)) expect(lsn).to.equal('0/1');
    await turn();
    open[1]?.();
    for (const { lsn } of await Promise.all(later)) expect(lsn).to.equal('0/2');
    open[2]?.();
    expect((await last).lsn).to.equal('0/3');
  });

  it('fails for those who asked when the primary does, and asks again for the next', async () => {
    let away = true;
    const read = async () => {
      if (away) throw new Error('away');
      return [{ log: 'db 1 00000001', lsn: '0/9' }];
    };
    const newest = newestPosition({ read } as unknown as Access);
    const failed = await newest().catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: away');
    away = false;
    expect((await newest()).lsn).to.equal('0/9');
  });

  it('fails where the answer is none', async () => {
    const newest = newestPosition({ read: async () => [] } as unknown as Access);
    const failed = await newest().catch((error: unknown) => String(error));
    expect(failed).to.contain('did not answer where its log ends');
  });
});
