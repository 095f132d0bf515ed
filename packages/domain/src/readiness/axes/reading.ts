import type { Instant } from '../../time.js';
import type { Axis } from '../axis.js';
import { fromHundredths, type Share, shareInHundredths } from '../numbers.js';
import type { AxisReading, ChangeFailureRate } from '../report.js';

/** The reading of one of the five axes: its score, or why there is none. */
export const readingOf = <Name extends Axis>(
  axis: Name,
  facts: Extract<AxisReading, { axis: Name }>['facts'],
  weight: number,
  { part, whole, cause }: Share,
  explanation: string,
  changeFailureRate: ChangeFailureRate | null = null,
  asOf: Instant | null = null,
): AxisReading => {
  const reading =
    cause === null
      ? {
          axis,
          state: 'measured',
          score: fromHundredths(shareInHundredths(part, whole)),
          weight,
          facts,
          explanation,
          changeFailureRate,
          asOf,
        }
      : { axis, state: 'unmeasured', cause, weight, facts, explanation, changeFailureRate, asOf };
  // Name and facts are of the same axis, which the type of the union cannot say.
  return reading as AxisReading;
};
