import type { GateDecision } from '@shipworthy/domain/readiness';
import { DECISION_TITLES } from '../wording/names.js';
import { scoreDigits } from '../wording/numbers.js';
import { Icon } from './icon.js';
import './score-figure.css';

interface ScoreFigureProps {
  readonly score: number | null;
  /** Share of the weights that is measured, 0-1. */
  readonly coverage: number;
  /** The coverage for people, such as `4 of 5 measured`. */
  readonly covers: string;
  /** The class that sets the size of a score that covers everything. */
  readonly look: string;
  /** Shown behind the number. */
  readonly beside?: string;
}

/**
 * A score with its coverage. The number is large only where everything that counts was measured. Until then the
 * coverage comes first and the number is small and grey, since 100.0 of one axis is no all-clear.
 */
export const ScoreFigure = ({ score, coverage, covers, look, beside = '' }: ScoreFigureProps) => {
  const behind = beside === '' ? null : <span class="score-beside"> {beside}</span>;
  if (score !== null && coverage >= 1)
    return (
      <>
        <p class={`${look} number`}>
          {scoreDigits(score)}
          {behind}
        </p>
        <p class="small">{covers}</p>
      </>
    );
  return (
    <>
      <p class="score-covers number">{covers}</p>
      <p class="score-partial small soft number">
        {score === null ? 'No score' : `Score ${scoreDigits(score)}`}
        {behind}
      </p>
    </>
  );
};

/** The gate's decision: colour, icon and word. Its key makes a new badge for a new decision, so that none slides. */
export const DecisionBadge = ({ decision }: { readonly decision: GateDecision }) => (
  <span key={decision} class={`decision ${decision}`}>
    <Icon name={decision} />
    {DECISION_TITLES[decision]}
  </span>
);
