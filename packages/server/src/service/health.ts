import { type RunTime, runTime } from '@shipworthy/adapters/clock';
import type { Stores } from '@shipworthy/domain';
import { Problem } from '../http/problem.js';

/** Whether the service can answer; `livez` never asks. */
export interface Health {
  /** From now on the service is not ready: it finishes what it has and takes no more. */
  drain(): void;
  readonly draining: boolean;
  /** @throws Problem `unavailable` that says what is missing */
  check(): Promise<void>;
}

/** Asks the store; rejects when it cannot answer or its migrations are not done. */
export type CheckStores = () => Promise<void>;

/** How long the stores may take to answer, in milliseconds of run time. */
const CHECK_FOR_MS = 2000;

/** The stores are asked this often at most, in milliseconds, however often somebody asks whether the service is ready. */
const ASK_EVERY_MS = 1000;

const late = (): never => {
  throw new Error('late');
};

/** The cheapest question any store can answer, for stores that bring no check of their own. */
export const askStores =
  (stores: Pick<Stores, 'users'>): CheckStores =>
  async () => {
    await stores.users.any();
  };

/** What the health check reads the time from; this process unless given. */
interface HealthTime {
  readonly within?: RunTime['within'];
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

export const createHealth = (
  checkStores: CheckStores,
  { within = runTime.within, now = () => performance.now() }: HealthTime = {},
): Health => {
  let draining = false;
  let asked: { readonly at: number; readonly answer: Promise<void> } | undefined;
  const ask = (): Promise<void> => {
    if (asked === undefined || now() - asked.at >= ASK_EVERY_MS)
      asked = { at: now(), answer: within(CHECK_FOR_MS, checkStores(), late) };
    return asked.answer;
  };
  return {
    get draining() {
      return draining;
    },
    drain: () => {
      draining = true;
    },
    async check() {
      if (draining) throw new Problem('unavailable', 'The service is shutting down.', { retryAfter: 5 });
      try {
        await ask();
      } catch {
        throw new Problem('unavailable', 'The database does not answer or its migrations are not done.');
      }
    },
  };
};
