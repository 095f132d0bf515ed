import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { untilRead } from '../api/resource.js';
import { visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { type FocusPlace, focusNear, focusPlaceOf } from '../navigation/navigate.js';
import { Button } from './button.js';
import { Icon } from './icon.js';
import { FaultNotice } from './notice.js';

/** A change that was made, and how to take it back. */
interface Offer {
  readonly said: string;
  /** undefined: it was taken back. */
  readonly undo: (() => Promise<unknown>) | undefined;
  /** Where the change was made. */
  readonly place: FocusPlace | undefined;
  /** Tells the offer from the one before it. */
  readonly number: number;
}

const offered = signal<Offer | undefined>(undefined);

/**
 * Says what was changed and offers to take it back, until the next change, another screen, or another person. `undo` also
 * reads the screen again.
 */
export const offerUndo = (said: string, undo: () => Promise<unknown>): void => {
  const { activeElement } = document;
  const place = activeElement === null ? undefined : focusPlaceOf(activeElement);
  offered.value = { said, undo, place, number: (offered.value?.number ?? 0) + 2 };
};

/** The last change with the way back, above the lower edge of the screen. */
export const UndoBar = () => {
  const { path } = useLocation();
  const who = visitor.value;
  const userId = who.kind === 'signed_in' ? who.user.id : undefined;
  const offer = offered.value;
  useEffect(() => {
    offered.value = undefined;
  }, [path, userId]);
  return (
    <div class="undo on-screen" role="status">
      {offer === undefined ? null : <UndoOffer key={offer.number} offer={offer} />}
    </div>
  );
};

/** The offer to take a change back. Shows why that failed, such as because another person changed the same thing since. */
const UndoOffer = ({ offer }: { readonly offer: Offer }) => {
  const { said, undo, place } = offer;
  const leave = (next: Offer | undefined) => {
    offered.value = next;
    if (place !== undefined) focusNear(place);
  };
  const back = useAction(async () => {
    await undo?.();
    // The next change must start from the state after this one.
    await untilRead();
    if (offered.peek() !== offer) return;
    leave({ said: 'Undone.', undo: undefined, place, number: offer.number + 1 });
  });
  return (
    <div>
      {back.fault === undefined ? (
        <span>{said}</span>
      ) : (
        <FaultNotice fault={back.fault} onRetry={back.fault.mayPass ? () => void back.run() : undefined} />
      )}
      {undo === undefined || back.fault !== undefined ? null : (
        <Button compact busy={back.running} onClick={() => void back.run()}>
          Undo
        </Button>
      )}
      <Button compact look="plain" label="Dismiss" onClick={() => leave(undefined)}>
        <Icon name="bad" />
      </Button>
    </div>
  );
};
