import type { ReadinessReport } from '@shipworthy/client';

/** A number of the scale 0-100 as people see it: one decimal, rounded down, so that 79.96 never reads 80.0. */
export const shownScore = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

type Decided = Pick<ReadinessReport['gate'], 'decision' | 'decision_without_waivers' | 'waivers'>;

/** The waivers that make a decision: `with 1 waiver; without it: hold`; empty without any. */
export const waiverWords = ({ decision_without_waivers: without, waivers }: Decided): string => {
  if (waivers.length === 0) return '';
  const [some, them] = waivers.length === 1 ? ['1 waiver', 'it'] : [`${waivers.length} waivers`, 'them'];
  return `with ${some}; without ${them}: ${without}`;
};

/** The decision with the waivers that make it: `go with 1 waiver; without it: hold`; without waivers the word alone. */
export const decisionWords = (gate: Decided): string => `${gate.decision} ${waiverWords(gate)}`.trim();

/** How many axes that count are measured. */
export const measuredAxes = (
  axes: readonly Pick<ReadinessReport['axes'][number], 'state' | 'weight'>[],
): { readonly measured: number; readonly of: number } => {
  const counting = axes.filter(({ weight }) => weight > 0);
  return { measured: counting.filter(({ state }) => state === 'measured').length, of: counting.length };
};

/** Said where the gate's reason is `no_weights`. */
export const NO_WEIGHTS = 'every weight of the policy is 0';

/** The score with what it covers: `84.2, 4 of 5 measured`; without any weight, that there is none. */
export const scoreLine = ({ score, axes }: Pick<ReadinessReport, 'score' | 'axes'>): string => {
  const { measured, of } = measuredAxes(axes);
  if (of === 0) return `no score: ${NO_WEIGHTS}`;
  return `${score === null ? 'no score' : shownScore(score)}, ${measured} of ${of} measured`;
};
