import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { refreshShown } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { Choice } from '../../../parts/field.js';
import { FaultNotice } from '../../../parts/notice.js';

const CHOICES = [
  ['park', 'Park it: back to planned'],
  ['ship', 'Ship it'],
] as const;

/** Makes the release the active one; asks what becomes of another that is. */
export const Activate = ({ place }: { readonly place: ReleasePlace }) => {
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
