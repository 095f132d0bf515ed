import type { GateDecision } from '@shipworthy/domain/readiness';
import { DECISION_TITLES } from '../wording/names.js';
import { scoreDigits } from '../wording/numbers.js';
import { Icon } from './icon.js';
import './score-figure.css';

interface ScoreFigureProps {
  readonly score: number | null;
  /** Share of the weights that is measured, 0-1. */
  readonly coverage: number;
  /** The same for people, such as `4 of 5 measured`. */
  readonly covers: string;
  /** Sets the size of a score that covers everything. */
  readonly look: string;
  /** Shown behind the number. */
  readonly beside?: string;
}

/**
 * A score with what it covers. A large number is shown only where everything that counts was measured; before that what is
 * measured comes first and the number is small and grey, since 100.0 of one axis is no all-clear.
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

/** The gate's decision: colour, icon and word. Another one is a badge of its own, which does not slide out of the former. */
export const DecisionBadge = ({ decision }: { readonly decision: GateDecision }) => (
  <span key={decision} class={`decision ${decision}`}>
    <Icon name={decision} />
    {DECISION_TITLES[decision]}
  </span>
);
