import type { TestRunRow } from '@shipworthy/client';
import { Commit } from '../../parts/commit.js';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { countText, passRateText } from '../../wording/numbers.js';
import { SetAsideNote } from '../test-runs/set-aside.js';
import { Counts } from './counts.js';

/** Test runs under verification, the latest first. */
export const RunRows = ({ rows }: { readonly rows: readonly TestRunRow[] }) => (
  <Table
    cards
    label="Test runs of the release"
    heads={['Ran', 'Suite', { number: 'Passed' }, { number: 'Failed' }, 'Commit', 'Recorded by', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Ran">
          {row.url === null ? (
            <Moment at={row.ran_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.ran_at} />
            </a>
          )}
        </th>
        <td data-head="Suite">{row.suite ?? <span class="soft none">–</span>}</td>
        <td class="number" data-head="Passed">
          {countText(row.passed)} of {countText(row.total)}
          <div class="soft small">{passRateText(row.passed, row.total)}</div>
        </td>
        <td class="number" data-head="Failed">
          {countText(row.failed)}
        </td>
        <td data-head="Commit">
          {row.commit_sha === null ? <span class="soft none">–</span> : <Commit sha={row.commit_sha} />}
        </td>
        <td data-head="Recorded by">{row.recorded_by}</td>
        <td data-head="Counted">
          <Counts row={row} />
          <SetAsideNote run={row} />
        </td>
      </tr>
    ))}
  </Table>
);
