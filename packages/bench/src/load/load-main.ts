import { obey } from '../process/child.js';
import type { LoadOrder } from './load-process.js';
import { runClosedLoop, runSteadyRate } from './run-load.js';

// The program of the load process: does one order after the other and tells what came of it.

obey((order: LoadOrder) => (order.kind === 'closed loop' ? runClosedLoop(order) : runSteadyRate(order)));
