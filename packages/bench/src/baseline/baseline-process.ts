import { nextMessage, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import type { HostReadingOrder, PlainReading } from './host-reading.js';

type Baseline = 'postgres-insert' | 'sqlite-insert' | 'not-modified';

/** Starts a baseline server as a process of its own and returns its port. */
export const startBaseline = (workshop: Workshop, baseline: Baseline, argument: string): Promise<number> => {
  const program = new URL(`./${baseline}-main.js`, import.meta.url).href;
  return nextMessage<number>(startChild(workshop, { program, args: [argument] }));
};

/** Starts the plain Koa that answers what it is sent, as a process of its own; its port and the id of its process. */
export const startEcho = async (workshop: Workshop): Promise<{ readonly port: number; readonly pid: number }> => {
  const child = startChild(workshop, { program: new URL('./koa-echo-main.js', import.meta.url).href });
  return { port: await nextMessage<number>(child), pid: child.process.pid ?? 0 };
};

/** Reads a repository of the host in a process of its own, once. */
export const readPlainly = (workshop: Workshop, order: HostReadingOrder): Promise<PlainReading> => {
  const program = new URL('./host-reading-main.js', import.meta.url).href;
  return nextMessage<PlainReading>(startChild(workshop, { program, args: [JSON.stringify(order)] }));
};
