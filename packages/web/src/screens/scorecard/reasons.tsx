import type { Gate } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import type { ReleasePlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Panel } from '../../parts/page.js';
import { reasonTitle } from '../../wording/names.js';
import { isWaivable, type WaivableReason, WaiveDialog } from './waive-dialog.js';

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
