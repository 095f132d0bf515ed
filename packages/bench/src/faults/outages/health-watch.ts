import { Agent } from 'node:http';
import { ask, type Reply } from '../reporters/ask.js';
import { repeating } from './outage.js';

const HEALTH_EVERY_MS = 100;
const HEALTH_PATIENCE_MS = 10_000;

/** What a server says of its health again and again. */
export interface HealthWatch {
  /** Answers of `livez` that were not 200; none is to be. */
  readonly notAlive: number;
  /** The latest answer of `readyz`. */
  readonly isReady: boolean;
  /** Answers of `readyz` other than 200 and 503 with `Retry-After`. */
  readonly strays: number;
  /** The longest that either took since this was asked last, in milliseconds. */
  longest(): number;
  stop(): Promise<void>;
}

export const watchHealth = (port: number): HealthWatch => {
  const agent = new Agent({ keepAlive: true });
  let [notAlive, strays, longest, isReady] = [0, 0, 0, false];
  const asked = async (path: string): Promise<Reply | null> => {
    const reply = await ask(agent, port, { method: 'GET', path, headers: {} }, HEALTH_PATIENCE_MS).catch(() => null);
    longest = Math.max(longest, reply?.took ?? HEALTH_PATIENCE_MS);
    return reply;
  };
  const look = async (): Promise<void> => {
    const [alive, ready] = await Promise.all([asked('/livez'), asked('/readyz')]);
    if (alive?.status !== 200) notAlive += 1;
    isReady = ready?.status === 200;
    if (!isReady && !(ready?.status === 503 && ready.retryAfter !== undefined)) strays += 1;
  };
  const stop = repeating(look, HEALTH_EVERY_MS);
  return {
    get notAlive() {
      return notAlive;
    },
    get isReady() {
      return isReady;
    },
    get strays() {
      return strays;
    },
    longest: () => {
      const most = longest;
      longest = 0;
      return most;
    },
    stop: async () => {
      await stop();
      agent.destroy();
    },
  };
};
