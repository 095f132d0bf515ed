// The program that floods, in a process of its own so that it does not stand in the way of whoever watches.
import { runFlood } from './flood.js';
import type { FloodOrder, FloodReply } from './flood-order.js';

const tell = (reply: FloodReply): void => void process.send?.(reply);

process.channel?.ref();
process.on('message', (order: FloodOrder) => {
  runFlood(order).then(
    (result) => tell({ result }),
    (error: unknown) => tell({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
