import type { ReadinessReport } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { refreshShown } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { DecisionBadge } from '../../../parts/decision-badge.js';
import { Dialog } from '../../../parts/dialog.js';
import { TextField } from '../../../parts/field.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { gateText } from '../../../wording/names.js';
import { coverageText, scoreText } from '../../../wording/numbers.js';

interface ShipDialogProps {
  readonly report: ReadinessReport;
  readonly place: ReleasePlace;
  readonly onClose: () => void;
}

/** Ships: what the gate says now is shown before, and frozen with it; the gate itself never refuses. */
export const ShipDialog = ({ report, place, onClose }: ShipDialogProps) => {
  const [note, setNote] = useState('');
  const ship = useAction(async () => {
    await client.shipRelease({ path: inRelease(place), ...(note.trim() === '' ? {} : { body: { note } }) });
    refreshShown(projectKey(place, ''));
  });
  const submit = async () => {
    if (await ship.run()) onClose();
  };
  const { gate, score, axes, release } = report;
  const against = gate.reasons.filter(({ waived }) => !waived);
  return (
    <Dialog title={`Ship ${release.name}?`} onClose={onClose} onSubmit={() => void submit()}>
      <p class="row">
        <DecisionBadge decision={gate.decision} />
        <span class="number">
          {coverageText(axes)}, {score === null ? 'no score' : `score ${scoreText(score)}`}
        </span>
      </p>
      {gate.waivers.length === 0 ? null : <p>{gateText(gate)}</p>}
      {against.length === 0 ? null : (
        <Notice look="attention">
          <p>You can ship all the same. What speaks against it is kept with the release:</p>
          <ul class="bullets">
            {against.map(({ code, axis, message }) => (
              <li key={`${code} ${axis ?? ''}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <TextField
        label="Note"
        hint="May stay empty. Kept with the release."
        value={note}
        onValue={setNote}
        wrong={ship.fault?.fields['/note']}
        autocomplete="off"
      />
      {ship.fault === undefined || ship.fault.fields['/note'] !== undefined ? null : <FaultNotice fault={ship.fault} />}
      <div class="row">
        <Button look="main" submit busy={ship.running}>
          Ship {release.name}
        </Button>
        <Button onClick={onClose}>Not yet</Button>
      </div>
    </Dialog>
  );
};
