import { carryOutOrders } from '../process/child.js';
import { runFlood } from './flood.js';

// The program that floods, in a process of its own so that it does not slow the process that watches.

carryOutOrders(runFlood);
