import { randomBytes } from 'node:crypto';
import type { SendLoad } from '../../load/load-process.js';
import { deploymentRequest } from '../../subject/requests.js';
import type { Besieged } from './besieged.js';
import { batchRequest } from './requests.js';

const CONNECTIONS = 64;
const ENOUGH = 0.9;
const RECOVERY_PATIENCE_MS = 30_000;

/** What a server carries when every caller waits for its answer, in requests per second. */
export const capacityOf = (send: SendLoad, besieged: Besieged) => {
  const { server, project, key } = besieged;
  const measured = async (request: string, status: number, connections: number, seconds: number): Promise<number> => {
    const order = { kind: 'closed loop', port: server.port, request, status, connections, seconds } as const;
    const { answered, seconds: took } = await send(order);
    return answered / took;
  };
  const single = (seconds: number): Promise<number> =>
    measured(deploymentRequest(project.name, key, randomBytes(12).toString('hex')), 201, CONNECTIONS, seconds);
  return {
    single,
    batches: (seconds: number) => measured(batchRequest(besieged), 200, 8, seconds),
    /** Milliseconds until nearly as much is carried as before; measured in turns of so many seconds. */
    untilAgain: async (before: number, seconds: number): Promise<number> => {
      const begin = performance.now();
      while (performance.now() - begin < RECOVERY_PATIENCE_MS) {
        const turnBegan = performance.now();
        // Somebody may be refused once more right after a flood; that is no full speed yet.
        const now = await single(seconds).catch(() => 0);
        if (now >= ENOUGH * before) return turnBegan - begin;
      }
      return RECOVERY_PATIENCE_MS;
    },
  };
};
