import type { TestRunRow } from '@shipworthy/client';
import { Commit } from '../../parts/commit.js';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { countText, passRateText } from '../../wording/numbers.js';
import { Counts } from './counts.js';

/** Test runs under verification, the latest first. */
export const RunRows = ({ rows }: { readonly rows: readonly TestRunRow[] }) => (
  <Table
    label="Test runs of the release"
    heads={['Ran', 'Suite', { number: 'Passed' }, { number: 'Failed' }, 'Commit', 'Recorded by', 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row">
          {row.url === null ? (
            <Moment at={row.ran_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.ran_at} />
            </a>
          )}
        </th>
        <td>{row.suite ?? <span class="soft">–</span>}</td>
        <td class="number">
          {countText(row.passed)} of {countText(row.total)}
          <div class="soft small">{passRateText(row.passed, row.total)}</div>
        </td>
        <td class="number">{countText(row.failed)}</td>
        <td>{row.commit_sha === null ? <span class="soft">–</span> : <Commit sha={row.commit_sha} />}</td>
        <td>{row.recorded_by}</td>
        <td>
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
