import { DomainError } from '@shipworthy/domain';

/**
 * Lets at most `width` pieces of work run at once; the others wait in order of arrival. With `maxWaiting` of them
 * waiting already, the next is refused with DomainError `unavailable`.
 */
export const turnstile = (width: number, maxWaiting: number) => {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    // Whoever waits takes over the place, so nobody can slip in between.
    if (next === undefined) inside -= 1;
    else next();
  };
  const enter = (): Promise<void> => {
    if (inside < width) {
      inside += 1;
      return Promise.resolve();
    }
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new DomainError('unavailable', 'Too many sign-ins at once; try again.'));
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
