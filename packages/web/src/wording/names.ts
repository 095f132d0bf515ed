import type { AxisReading, Gate } from '@shipworthy/client';

export type AxisName = AxisReading['axis'];
export type Decision = Gate['decision'];

export const AXIS_TITLES: Readonly<Record<AxisName, string>> = {
  scope: 'Scope',
  quality: 'Quality',
  ops: 'Ops',
  verification: 'Verification',
  stability: 'Stability',
};

export const DECISION_TITLES: Readonly<Record<Decision, string>> = { go: 'Go', hold: 'Hold', unknown: 'Unknown' };

/** What a decision means, in a sentence. */
export const DECISION_MEANINGS: Readonly<Record<Decision, string>> = {
  go: 'Everything the policy asks for is met.',
  hold: 'Something measured is not good enough yet.',
  unknown: 'Something the policy requires has not been measured.',
};
