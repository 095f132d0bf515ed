import { startChild } from '../../process/child.js';
import { ordered } from '../../process/orders.js';
import type { Workshop } from '../../process/workshop.js';
import type { FloodOrder, FloodResult } from './flood-order.js';

/** Starts the process that floods; what it answers resolves to what came of an order. */
export const startFlooding = (workshop: Workshop): ((order: FloodOrder) => Promise<FloodResult>) => {
  const child = startChild(workshop, { program: new URL('./flood-main.js', import.meta.url).href });
  return (order) => ordered(child, order, 'The flood failed');
};
