import { DECISION_TITLES, type Decision } from '../wording/names.js';
import { Icon } from './icon.js';

/** The gate's decision: colour, icon and word. */
export const DecisionBadge = ({ decision }: { readonly decision: Decision }) => (
  <span class={`decision ${decision}`}>
    <Icon name={decision} />
    {DECISION_TITLES[decision]}
  </span>
);
