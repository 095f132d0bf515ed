import { startChild } from '../process/child.js';
import { ordered } from '../process/orders.js';
import type { Workshop } from '../process/workshop.js';
import type { LoadOrder, LoadResult } from './load-order.js';

/** Sends load from a process of its own, so that it never stands in the way of what it measures. */
export type SendLoad = (order: LoadOrder) => Promise<LoadResult>;

/** Starts the load process. An order rejects when any of its requests was not answered with the status it asks for. */
export const startLoadProcess = (workshop: Workshop): SendLoad => {
  const child = startChild(workshop, { program: new URL('./load-main.js', import.meta.url).href });
  return (order) => ordered(child, order, `Load on port ${order.port} failed`);
};
