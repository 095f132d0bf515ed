import type { IssueRow } from '@shipworthy/client';
import { Table } from '../../parts/table.js';
import { Counts } from './counts.js';

const STATES: Readonly<Record<IssueRow['state'], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  canceled: 'Canceled',
};

/** Issues under scope; under quality only bugs, with their severity. */
export const IssueRows = ({ rows, bugs }: { readonly rows: readonly IssueRow[]; readonly bugs: boolean }) => (
  <Table
    cards
    label={bugs ? 'Bugs of the release' : 'Issues of the release'}
    heads={[bugs ? 'Bug' : 'Issue', bugs ? 'Severity' : 'Type', 'State', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head={bugs ? 'Bug' : 'Issue'}>
          {row.url === null ? (
            row.title
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              {row.title}
            </a>
          )}
        </th>
        <td data-head={bugs ? 'Severity' : 'Type'}>
          {bugs ? (row.severity ?? <span class="soft">not said</span>) : row.type}
        </td>
        <td data-head="State">{STATES[row.state]}</td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
