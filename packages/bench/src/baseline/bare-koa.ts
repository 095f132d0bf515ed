import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../process/child.js';
import { freePort } from '../process/free-port.js';
import type { Workshop } from '../process/workshop.js';

const ASK_OFTEN_MS = 5;
const START_MS = 90_000;

export interface BareKoa {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly milliseconds: number;
}

const answers = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`)).status === 201;
  } catch {
    return false;
  }
};

/** Starts a Koa with nothing on it as a process of its own and waits for its first answer. */
export const startBareKoa = async (workshop: Workshop): Promise<BareKoa> => {
  const port = await freePort();
  const begin = performance.now();
  const program = new URL('./koa-main.js', import.meta.url).href;
  const child = startChild(workshop, { program, args: [String(port)] });
  while (!(await answers(port))) {
    if (performance.now() - begin > START_MS) throw new Error(`The bare Koa did not answer. ${child.lastWords()}`);
    await pause(ASK_OFTEN_MS);
  }
  return { port, pid: child.process.pid ?? 0, milliseconds: performance.now() - begin };
};
