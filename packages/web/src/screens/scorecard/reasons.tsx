import type { Gate, NextStep } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { axisAddress, projectAddress, type ReleasePlace, releaseAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Panel } from '../../parts/page.js';
import { reasonTitle } from '../../wording/names.js';
import { gainText } from '../../wording/numbers.js';
import { isWaivable, type WaivableReason, WaiveDialog } from './waivers.js';

interface ReasonsProps {
  readonly gate: Gate;
  readonly place: ReleasePlace;
  /** Whether the person may accept reasons, and there is still something to accept. */
  readonly mayWaive: boolean;
}

/** Why the gate does not say go, the score first, then the axes in their order. */
export const Reasons = ({ gate, place, mayWaive }: ReasonsProps) => {
  const [waived, setWaived] = useState<WaivableReason | undefined>(undefined);
  return (
    <Panel title="Why">
      {gate.reasons.length === 0 ? (
        <p>Nothing stands in the way.</p>
      ) : (
        <ul class="lines reasons">
          {gate.reasons.map((reason) => (
            <li
              key={`${reason.code} ${reason.axis ?? ''}`}
              class={reason.waived ? 'waived' : reason.actual === null ? 'unknown' : undefined}
            >
              <Icon name={reason.waived ? 'not_applicable' : reason.actual === null ? 'unknown' : 'bad'} />
              <span>
                {reason.message}
                {reason.waived ? (
                  <>
                    {' '}
                    <span class="tag">waived</span>
                  </>
                ) : null}
              </span>
              {mayWaive && !reason.waived && isWaivable(reason) ? (
                <span class="on-screen">
                  <Button
                    compact
                    look="plain"
                    label={`Accept: ${reasonTitle(reason.code, reason.axis)}`}
                    onClick={() => setWaived(reason)}
                  >
                    Accept …
                  </Button>
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {waived === undefined ? null : <WaiveDialog reason={waived} place={place} onClose={() => setWaived(undefined)} />}
    </Panel>
  );
};

const ADDRESSES: Partial<Record<NextStep['action'], (place: ReleasePlace) => string>> = {
  tick_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  add_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  record_test_run: (place) => `${projectAddress(place)}/test-runs/record`,
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

const noStepText = ({ decision, waivers }: Gate): string => {
  if (decision !== 'go') return 'Nothing that can be done here.';
  return waivers.length === 0 ? 'Ship it.' : 'Nothing more: what is left is waived.';
};
