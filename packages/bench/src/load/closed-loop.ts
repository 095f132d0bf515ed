import { quantile } from '../measure/median.js';
import { openConnections } from './connection.js';
import type { ClosedLoop, LoadResult } from './load-order.js';
import { requestWriter, requireStatus } from './request-writer.js';

/** Keeps every connection busy until the time is over, then waits for what is still under way. */
export const runClosedLoop = async (order: ClosedLoop): Promise<LoadResult> => {
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
