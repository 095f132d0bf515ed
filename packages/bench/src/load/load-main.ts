// The program of the load process: does one order after the other and tells what came of it.
import { obey } from '../process/orders.js';
import { runClosedLoop } from './closed-loop.js';
import type { LoadOrder } from './load-order.js';
import { runSteadyRate } from './steady-rate.js';

obey((order: LoadOrder) => (order.kind === 'closed loop' ? runClosedLoop(order) : runSteadyRate(order)));
