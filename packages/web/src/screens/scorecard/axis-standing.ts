import type { AxisReading, ReadinessReport } from '@shipworthy/client';
import type { IconName } from '../../parts/icon.js';

/** How the gate takes an axis: as a colour, as a picture and as a word. */
export interface AxisStanding {
  readonly look: 'go' | 'hold' | 'unknown' | 'waived' | 'aside';
  readonly icon: IconName;
  readonly word: string;
}

/** What the gate makes of an axis: of its reasons the first that is not waived counts, else one that is. */
export const axisStanding = (
  { axis, state, weight }: Pick<AxisReading, 'axis' | 'state' | 'weight'>,
  { gate: { reasons } }: Pick<ReadinessReport, 'gate'>,
): AxisStanding => {
  const about = reasons.filter((reason) => reason.axis === axis);
  const reason = about.find(({ waived }) => !waived) ?? about[0];
  if (reason?.waived) return { look: 'waived', icon: 'not_applicable', word: 'waived' };
  if (reason !== undefined && state === 'measured')
    return { look: 'hold', icon: 'hold', word: `below ${String(reason.required)}` };
  if (reason !== undefined) return { look: 'unknown', icon: 'unknown', word: 'asked for' };
  if (weight === 0) return { look: 'aside', icon: 'not_applicable', word: 'not counted' };
  if (state === 'measured') return { look: 'go', icon: 'go', word: 'passes' };
  return { look: 'aside', icon: 'not_applicable', word: 'not asked for' };
};
