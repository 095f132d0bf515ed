import type { ChecklistItem } from '@shipworthy/client';
import { Button } from '../../parts/button.js';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { changeText, type ItemChange, STATE_TITLES } from './states.js';

interface ConflictProps {
  readonly newer: ChecklistItem;
  readonly wanted: ItemChange;
  readonly onKeep: () => void;
  readonly onInsist: () => void;
}

/** Somebody else was first: both states, and the choice. */
export const Conflict = ({ newer, wanted, onKeep, onInsist }: ConflictProps) => (
  <Notice look="attention">
    <p>
      {newer.updated_by ?? 'Somebody'} changed this item <Moment at={newer.updated_at} />. It now reads “{newer.title}”,{' '}
      <strong>{STATE_TITLES[newer.state]}</strong>; you wanted <strong>{changeText(wanted)}</strong>.
    </p>
    <p class="row">
      <Button compact onClick={onKeep}>
        Keep theirs
      </Button>
      <Button compact onClick={onInsist}>
        Set mine
      </Button>
    </p>
  </Notice>
);
