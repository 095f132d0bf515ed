// The program of the load process: does one order after the other and tells what came of it.
import { runClosedLoop } from './closed-loop.js';
import type { LoadOrder, LoadReply } from './load-order.js';
import { runSteadyRate } from './steady-rate.js';

const tell = (reply: LoadReply): void => void process.send?.(reply);

// Orders are all this process lives for: between two of them nothing else keeps it alive.
process.channel?.ref();
process.on('message', (order: LoadOrder) => {
  const running = order.kind === 'closed loop' ? runClosedLoop(order) : runSteadyRate(order);
  running.then(
    (result) => tell({ result }),
    (error: unknown) => tell({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
