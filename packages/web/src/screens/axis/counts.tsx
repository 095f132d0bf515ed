import type { AxisRow } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { NOT_COUNTED } from '../../wording/names.js';
import '../../parts/counted.css';

/** Whether a row counts in the axis, and if not, why. */
export const Counts = ({ row }: { readonly row: Pick<AxisRow, 'counts' | 'reason'> }) => (
  <span class={row.counts ? 'counted' : 'counted not'}>
    <Icon name={row.counts ? 'done' : 'not_applicable'} />
    <span>
      {row.reason === 'awaiting_confirmation'
        ? `Counts as open: ${NOT_COUNTED[row.reason]}`
        : row.counts
          ? 'Counts'
          : `Not counted: ${row.reason === undefined ? 'left out' : NOT_COUNTED[row.reason]}`}
    </span>
  </span>
);
