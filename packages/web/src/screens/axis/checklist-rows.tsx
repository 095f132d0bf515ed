import type { ChecklistRow } from '@shipworthy/client';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { Counts } from './counts.js';

const STATES: Readonly<Record<ChecklistRow['state'], string>> = {
  open: 'Open',
  done: 'Done',
  not_applicable: 'Not applicable',
};

/** Checklist items under ops, in list order. */
export const ChecklistRows = ({ rows }: { readonly rows: readonly ChecklistRow[] }) => (
  <Table cards label="Checklist items of the release" heads={['Item', 'State', 'Evidence', 'Last changed', 'Counted']}>
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Item">
          {row.title}
        </th>
        <td data-head="State">
          {STATES[row.state]}
          {row.state === 'not_applicable' ? (
            <div class="small soft">{row.mark_reason ?? 'No reason recorded'}</div>
          ) : null}
        </td>
        <td data-head="Evidence">
          {row.evidence.length === 0 ? (
            <span class="soft none">none</span>
          ) : (
            row.evidence.map(({ id, url, label }) => (
              <div key={id}>
                <a href={url} rel="noopener noreferrer">
                  {label}
                </a>
              </div>
            ))
          )}
        </td>
        <td data-head="Changed">
          {row.updated_by === null ? (
            <span class="soft">never</span>
          ) : (
            <>
              <Moment at={row.updated_at} /> by {row.updated_by}
            </>
          )}
        </td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
