import type { Instant } from '@shipworthy/domain';
import type { Clock } from '@shipworthy/domain/ports';

/** When a test begins unless it says otherwise. */
export const NOON: Instant = Date.UTC(2026, 10, 20, 12);

/** A clock that goes on only when it is told to. */
export interface TestClock {
  readonly read: Clock;
  /** Goes on by so many milliseconds and answers the new time. */
  pass(milliseconds: number): Instant;
}

export const createTestClock = (start: Instant = NOON): TestClock => {
  let now = start;
  return {
    read: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
      return now;
    },
  };
};
