import type { ReadinessReport } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import type { ReleasePlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Activate } from './activate.js';
import { ShipDialog } from './ship-dialog.js';

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
