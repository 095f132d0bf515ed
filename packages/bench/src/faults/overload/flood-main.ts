// The program that floods, in a process of its own so that it does not stand in the way of whoever watches.
import { obey } from '../../process/orders.js';
import { runFlood } from './flood.js';

obey(runFlood);
