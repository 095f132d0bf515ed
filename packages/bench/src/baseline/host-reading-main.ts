// Baseline: reads a repository of the host with plain fetch and keeps nothing. Argument: a HostReadingOrder as JSON.
import { type HostReadingOrder, readHost } from './host-reading.js';

// Stays until it is ended: a process that is gone at once may take its answer with it.
process.channel?.ref();
const order = JSON.parse(process.argv[2] ?? '{}') as HostReadingOrder;
process.send?.(await readHost(order));
