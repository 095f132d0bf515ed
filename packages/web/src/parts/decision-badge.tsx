import { DECISION_TITLES, type Decision } from '../wording/names.js';
import { Icon } from './icon.js';

/** The gate's decision: colour, icon and word. Another one is a badge of its own, which does not slide out of the former. */
export const DecisionBadge = ({ decision }: { readonly decision: Decision }) => (
  <span key={decision} class={`decision ${decision}`}>
    <Icon name={decision} />
    {DECISION_TITLES[decision]}
  </span>
);
