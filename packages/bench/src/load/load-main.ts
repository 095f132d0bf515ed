import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { quantile } from '../figures.js';
import { carryOutOrders } from '../process/child.js';
import { openConnections } from './connection.js';
import {
  type ClosedLoop,
  type LoadOrder,
  type LoadResult,
  requestWriter,
  requireStatus,
  type SteadyRate,
} from './load-process.js';

// The program of the load process: carries out one order after the other and returns the result of each.

carryOutOrders((order: LoadOrder) => (order.kind === 'closed loop' ? runClosedLoop(order) : runSteadyRate(order)));

/** Keeps every connection busy until the time is over, then waits for what is still under way. */
const runClosedLoop = async (order: ClosedLoop): Promise<LoadResult> => {
  const connections = await openConnections(order.port, order.connections);
  const requests = requestWriter(order);
  const took: number[] = [];
  const begin = performance.now();
  const deadline = begin + order.seconds * 1_000;
  const keepBusy = async (connection: (typeof connections)[number]): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < deadline; sentAt = performance.now()) {
      requireStatus(order, await connection.ask(requests.next()));
      took.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(connections.map(keepBusy));
  } finally {
    for (const connection of connections) connection.end();
  }
  const seconds = (performance.now() - begin) / 1_000;
  return { answered: requests.count(), seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99), times: [] };
};

const sleepUntil = (moment: number): Promise<void> => pause(Math.max(0, moment - performance.now()));

/** Prepares to run the statement before each request; `run` is null where there is no statement. */
const openPreparation = ({
  beforeEach,
}: SteadyRate): { run: (() => Promise<unknown>) | null; end(): Promise<void> } => {
  if (!beforeEach) return { run: null, end: () => Promise.resolve() };
  const pool = new pg.Pool({ connectionString: beforeEach.connectionString, max: 4 });
  return { run: () => pool.query({ name: 'before-each', text: beforeEach.statement }), end: () => pool.end() };
};

/**
 * Sends requests at a fixed rate. An answer's time counts from the moment its request was due: a request that had to wait
 * for a free connection has waited for the server.
 */
const runSteadyRate = async (order: SteadyRate): Promise<LoadResult> => {
  const free = await openConnections(order.port, order.connections);
  const all = [...free];
  const preparation = openPreparation(order);
  const requests = requestWriter(order);
  const took: number[] = [];
  const queue: ((connection: (typeof all)[number]) => void)[] = [];
  const oneRequest = async (due: number): Promise<void> => {
    await sleepUntil(due);
    await preparation.run?.();
    const dueAt = performance.now();
    const connection = free.pop() ?? (await new Promise<(typeof all)[number]>((resolve) => queue.push(resolve)));
    try {
      requireStatus(order, await connection.ask(requests.next()));
      took.push(performance.now() - dueAt);
    } finally {
      const next = queue.shift();
      if (next) next(connection);
      else free.push(connection);
    }
  };
  const begin = performance.now();
  try {
    const count = Math.max(1, Math.round(order.perSecond * order.seconds));
    const due = (index: number): number => begin + (index * 1_000) / order.perSecond;
    await Promise.all(Array.from({ length: count }, (_, index) => oneRequest(due(index))));
  } finally {
    for (const connection of all) connection.end();
    await preparation.end();
  }
  const seconds = (performance.now() - begin) / 1_000;
  return { answered: requests.count(), seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99), times: took };
};
