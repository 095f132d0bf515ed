import { addDemo } from '../demo/add-demo.js';
import type { DemoPorts } from '../demo/scene.js';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

const EVERY_MS = 500;

/** Adds the demo as soon as there is an administrator, once: one that is removed meanwhile stays removed. */
export const startDemo = (ports: DemoPorts, log: Log, everyMs: number = EVERY_MS): Loop => {
  let added = false;
  return startLoop({
    name: 'demo',
    everyMs,
    run: async () => {
      if (!added) added = await addDemo(ports);
      return false;
    },
    log,
  });
};
