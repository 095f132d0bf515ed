import type { Instant } from '../instant.js';
import { addTo, type Flows, type Levels, type Movement, STILL, type Sum } from './movement.js';
import { type Span, type Step, spansOf } from './span.js';

/** What was there at the end of a span, and what moved within it. */
export interface ProgressPoint extends Span, Levels, Flows {}

/** What was there at a moment, and what had moved until then; the moment itself included. */
export const standingAt = (movements: readonly Movement[], at: Instant): Levels & Flows => {
  const sum: Sum = { ...STILL };
  for (const movement of movements) if (movement.at <= at) addTo(sum, movement);
  return sum;
};

/** The progress over a span, point by point. */
export const progressOf = (movements: readonly Movement[], step: Step, span: Span): readonly ProgressPoint[] => {
  const spans = spansOf(
    step,
    span,
    movements.map(({ at }) => at),
  );
  let place = 0;
  const level: Sum = { ...STILL };
  const take = (isTaken: (at: Instant) => boolean): Levels & Flows => {
    const sum: Sum = { ...STILL };
    for (let next = movements[place]; next !== undefined && isTaken(next.at); next = movements[place]) {
      addTo(sum, next);
      place += 1;
    }
    addTo(level, sum);
    return sum;
  };
  take((at) => at < span.from);
  return spans.map(({ from, at }) => {
    const { added, removed, canceled, completed } = take((moment) => moment <= at);
    const { done, total, bugs, openBugs } = level;
    return { from, at, done, total, bugs, openBugs, added, removed, canceled, completed };
  });
};
