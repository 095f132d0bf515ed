import { nextMessage, startChild } from '../../process/child.js';
import type { Workshop } from '../../process/workshop.js';
import type { SlowMessage, SlowOrder, SlowTally } from './slow-order.js';

/** Slow sockets that are held in a process of their own. */
export interface SlowSockets {
  tally(): Promise<SlowTally>;
  /** Lets go of all; what had become of them by then. */
  end(): Promise<SlowTally>;
}

/** Opens them; they are not all there at once. */
export const holdSlowSockets = async (workshop: Workshop, order: SlowOrder): Promise<SlowSockets> => {
  const child = startChild(workshop, { program: new URL('./slow-main.js', import.meta.url).href });
  const tell = (message: SlowMessage): Promise<SlowTally> => {
    child.process.send(message);
    return nextMessage<SlowTally>(child);
  };
  await tell(order);
  return {
    tally: () => tell('tally'),
    end: async () => {
      const tally = await tell('end');
      child.process.kill('SIGTERM');
      return tally;
    },
  };
};
