import { nextMessage, startChild } from '../../process/child.js';
import type { Workshop } from '../../process/workshop.js';
import type { FloodOrder, FloodReply, FloodResult } from './flood-order.js';

/** Starts the process that floods; what it answers resolves to what came of an order. */
export const startFlooding = (workshop: Workshop): ((order: FloodOrder) => Promise<FloodResult>) => {
  const child = startChild(workshop, { program: new URL('./flood-main.js', import.meta.url).href });
  return async (order) => {
    child.process.send(order);
    const reply = await nextMessage<FloodReply>(child);
    if ('failure' in reply) throw new Error(`The flood failed: ${reply.failure}`);
    return reply.result;
  };
};
