import type { ComponentChildren } from 'preact';
import { Icon } from '../../parts/icon.js';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'now' | 'later';
  /** What it came to, once it is done. */
  readonly result?: string | undefined;
  readonly children?: ComponentChildren;
}

const STATES = { done: 'done', now: 'now', later: 'later' } as const;

/** One step of the journey: what it came to, what to do now, or that it comes later. */
export const Step = ({ number, title, state, result, children }: StepProps) => (
  <li class={`panel step ${state}`} aria-current={state === 'now' ? 'step' : undefined}>
    <h2>
      <span class="step-number">{state === 'done' ? <Icon name="done" /> : number}</span>
      {title}
      <span class="unseen">({STATES[state]})</span>
      {result === undefined ? null : <span class="soft">{result}</span>}
    </h2>
    {state === 'now' ? <div class="stack">{children}</div> : null}
  </li>
);
