import type { ReadinessReport } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { DecisionBadge } from '../../parts/score-figure.js';
import { gateText } from '../../wording/names.js';
import { coverageText, scoreDigits } from '../../wording/numbers.js';

/** The one move that is next in a release's life, for who may make it. */
export const ReleaseMoves = ({ report, place }: { readonly report: ReadinessReport; readonly place: ReleasePlace }) => {
  const [shipping, setShipping] = useState(false);
  const { state } = report.release;
  if (state === 'planned') return <Activate place={place} />;
  if (state !== 'active') return null;
  return (
    <>
      <Button look="main" onClick={() => setShipping(true)}>
        <Icon name="ship" />
        Ship …
      </Button>
      {shipping ? <ShipDialog report={report} place={place} onClose={() => setShipping(false)} /> : null}
    </>
  );
};

const CHOICES = [
  ['park', 'Park it: back to planned'],
  ['ship', 'Ship it'],
] as const;

/** Makes the release the active one; asks what becomes of another that is. */
const Activate = ({ place }: { readonly place: ReleasePlace }) => {
  const [current, setCurrent] = useState<'park' | 'ship'>('park');
  const [asking, setAsking] = useState(false);
  const activate = useAction(async (body?: { readonly current: 'park' | 'ship' }) => {
    await client.activateRelease({ path: inRelease(place), ...(body === undefined ? {} : { body }) });
    setAsking(false);
    refreshShown(projectKey(place, ''));
  });
  const { fault } = activate;
  const isTaken = fault?.type === 'release-active';
  const close = () => {
    setAsking(false);
    activate.clear();
  };
  return (
    <>
      <Button
        look="main"
        busy={activate.running}
        onClick={() => {
          setAsking(true);
          void activate.run();
        }}
      >
        Activate
      </Button>
      {!asking || fault === undefined ? null : (
        <Dialog
          title={isTaken ? 'Another release is active' : 'It was not activated'}
          onClose={close}
          onSubmit={() => void activate.run({ current })}
        >
          {isTaken ? (
            <>
              <p>{fault.message.split(';', 1)[0]}. A project has one active release at a time.</p>
              <Choice label="What becomes of it" value={current} choices={CHOICES} onValue={setCurrent} />
            </>
          ) : (
            <FaultNotice fault={fault} />
          )}
          <div class="row">
            {isTaken ? (
              <Button look="main" submit busy={activate.running}>
                Activate this one
              </Button>
            ) : null}
            <Button onClick={close}>{isTaken ? 'Not now' : 'Close'}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
};

interface ShipDialogProps {
  readonly report: ReadinessReport;
  readonly place: ReleasePlace;
  readonly onClose: () => void;
}

/** Ships: what the gate says now is shown before, and frozen with it; the gate itself never refuses. */
const ShipDialog = ({ report, place, onClose }: ShipDialogProps) => {
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
          {coverageText(axes)}, {score === null ? 'no score' : `score ${scoreDigits(score)}`}
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
