import type { Gate, NextStep } from '@shipworthy/client';
import { axisAddress, projectAddress, type ReleasePlace, releaseAddress } from '../../navigation/places.js';
import { Panel } from '../../parts/page.js';
import { gainText } from '../../wording/numbers.js';

const ADDRESSES: Partial<Record<NextStep['action'], (place: ReleasePlace) => string>> = {
  tick_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  add_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  record_test_run: (place) => `${projectAddress(place)}/test-runs/record`,
};

const noStepText = ({ decision, waivers }: Gate): string => {
  if (decision !== 'go') return 'Nothing that can be done here.';
  return waivers.length === 0 ? 'Ship it.' : 'Nothing more: what is left is waived.';
};

/** The least that is left to do, with what each step adds to the score. */
export const NextSteps = ({
  gate,
  place,
  isPast,
}: {
  readonly gate: Gate;
  readonly place: ReleasePlace;
  /** Of a release that is shipped or canceled. */
  readonly isPast: boolean;
}) => (
  <Panel title={isPast ? 'What was left to do' : 'What to do next'}>
    {gate.next_steps.length === 0 ? (
      <p>{isPast ? 'Nothing.' : noStepText(gate)}</p>
    ) : (
      <ol class="lines steps">
        {gate.next_steps.map((step) => (
          <li key={`${step.action} ${step.axis}`}>
            <a href={(ADDRESSES[step.action] ?? ((at) => axisAddress(at, step.axis)))(place)}>{step.message}</a>
            {step.gain === null || step.gain === 0 ? null : <span class="gain number">{gainText(step.gain)}</span>}
          </li>
        ))}
      </ol>
    )}
  </Panel>
);
