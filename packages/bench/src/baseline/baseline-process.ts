import { nextMessage, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';

export type Baseline = 'postgres-insert' | 'sqlite-insert' | 'not-modified';

/** Starts a baseline server as a process of its own and returns its port. */
export const startBaseline = (workshop: Workshop, baseline: Baseline, argument: string): Promise<number> => {
  const program = new URL(`./${baseline}-main.js`, import.meta.url).href;
  return nextMessage<number>(startChild(workshop, { program, args: [argument] }));
};
