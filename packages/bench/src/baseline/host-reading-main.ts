// Baseline: reads a repository of the host with plain fetch and keeps nothing. Argument: a HostReadingOrder as JSON.
import { type HostReadingOrder, readHost } from './host-reading.js';

// Keeps this process alive until it is ended: an answer may be lost where the process ends at once.
process.channel?.ref();
const order = JSON.parse(process.argv[2] ?? '{}') as HostReadingOrder;
process.send?.(await readHost(order));
