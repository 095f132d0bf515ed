import { useState } from 'preact/hooks';
import type { Fault } from '../../api/fault.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';

interface MarkDialogProps {
  readonly title: string;
  /** The reason so far; empty: none yet. */
  readonly reason: string;
  readonly owner: boolean;
  readonly busy: boolean;
  readonly fault: Fault | undefined;
  readonly onReason: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks why an item does not apply. */
export const MarkDialog = ({ title, reason, owner, busy, fault, onReason, onClose }: MarkDialogProps) => {
  const [text, setText] = useState(reason);
  const [missing, setMissing] = useState(false);
  const wrong = fault?.fields['/reason'] ?? (missing && text === '' ? 'Enter a reason' : undefined);
  return (
    <Dialog
      title={`${title} is not applicable`}
      onClose={onClose}
      onSubmit={() => {
        setMissing(true);
        if (text !== '') onReason(text);
      }}
    >
      {fault === undefined || fault.fields['/reason'] !== undefined ? null : <FaultNotice fault={fault} />}
      <TextField
        label="Reason"
        hint="Shown on the scorecard with your name. At most 500 characters."
        value={text}
        onValue={setText}
        wrong={wrong}
        autocomplete="off"
      />
      {owner ? null : <p class="small soft">The item counts as open until an owner of the team confirms it.</p>}
      <div class="row">
        <Button submit look="main" busy={busy}>
          Mark not applicable
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
