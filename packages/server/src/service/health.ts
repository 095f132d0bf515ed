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

const CHECK_FOR_MS = 2000;

const within = async (work: Promise<void>, milliseconds: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The cheapest question any store can answer, for stores that bring no check of their own. */
export const askStores =
  (stores: Pick<Stores, 'users'>): CheckStores =>
  async () => {
    await stores.users.any();
  };

export const createHealth = (checkStores: CheckStores): Health => {
  let draining = false;
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
        await within(checkStores(), CHECK_FOR_MS);
      } catch {
        throw new Problem('unavailable', 'The database does not answer or its migrations are not done.');
      }
    },
  };
};
