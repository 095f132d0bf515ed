import type { FaultSize } from '../fault-programme.js';

/** How much a run asks of a server. */
export interface OverloadSize {
  readonly slowSockets: number;
  /** Longer than any patience of the server with slow senders in a full run. */
  readonly slowSeconds: number;
  readonly floodSeconds: number;
  readonly floodConnections: number;
  readonly capacitySeconds: number;
}

export const overloadSize = (size: FaultSize): OverloadSize =>
  size === 'full'
    ? { slowSockets: 2_000, slowSeconds: 45, floodSeconds: 10, floodConnections: 2_000, capacitySeconds: 3 }
    : { slowSockets: 120, slowSeconds: 1, floodSeconds: 1, floodConnections: 400, capacitySeconds: 0.3 };
