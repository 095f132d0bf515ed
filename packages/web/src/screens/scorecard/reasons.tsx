import type { Gate } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Panel } from '../../parts/page.js';

/** Why the gate does not say go, the score first, then the axes in their order. */
export const Reasons = ({ gate }: { readonly gate: Gate }) => (
  <Panel title="Why">
    {gate.reasons.length === 0 ? (
      <p>Nothing stands in the way.</p>
    ) : (
      <ul class="lines">
        {gate.reasons.map((reason) => (
          <li key={`${reason.code} ${reason.axis ?? ''}`}>
            <Icon name={reason.waived ? 'not_applicable' : reason.actual === null ? 'unknown' : 'bad'} />
            <span>
              {reason.message}
              {reason.waived ? <span class="tag">waived</span> : null}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
