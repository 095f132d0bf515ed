import type { Instant } from '../instant.js';
import { type Flows, type Levels, type Movement, STILL, sumOf } from './movement.js';
import { type Span, type Step, spansOf } from './span.js';

/** What was there at the end of a span, and what moved within it. */
export interface ProgressPoint extends Span, Levels, Flows {}

/** What was there at a moment, and what had moved until then; the moment itself included. */
export const standingAt = (movements: readonly Movement[], at: Instant): Levels & Flows =>
  movements.filter((movement) => movement.at <= at).reduce(sumOf, STILL);

/** The progress over a span, point by point. */
export const progressOf = (movements: readonly Movement[], step: Step, span: Span): readonly ProgressPoint[] => {
  const spans = spansOf(
    step,
    span,
    movements.map(({ at }) => at),
  );
  let place = 0;
  let level = STILL;
  const take = (isTaken: (at: Instant) => boolean): Levels & Flows => {
    let sum = STILL;
    for (let next = movements[place]; next !== undefined && isTaken(next.at); next = movements[place]) {
      sum = sumOf(sum, next);
      place += 1;
    }
    level = sumOf(level, sum);
    return sum;
  };
  take((at) => at < span.from);
  return spans.map(({ from, at }) => {
    const { added, removed, canceled, completed } = take((moment) => moment <= at);
    const { done, total, bugs, openBugs } = level;
    return { from, at, done, total, bugs, openBugs, added, removed, canceled, completed };
  });
};
