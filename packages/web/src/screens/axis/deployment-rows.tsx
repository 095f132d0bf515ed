import type { DeploymentRow } from '@shipworthy/client';
import { Commit } from '../../parts/commit.js';
import { DeploymentStatus } from '../../parts/deployment-status.js';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { durationText } from '../../wording/moments.js';
import { Counts } from './counts.js';

/** Deployments under stability, the latest first. */
export const DeploymentRows = ({ rows }: { readonly rows: readonly DeploymentRow[] }) => (
  <Table
    cards
    label="Deployments in the release window"
    heads={['Time', 'Environment', 'Status', 'Commit', 'Version', { number: 'Took' }, 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row" data-head="Time">
          {row.url === null ? (
            <Moment at={row.started_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.started_at} />
            </a>
          )}
        </th>
        <td data-head="Environment">{row.environment}</td>
        <td data-head="Status">
          <DeploymentStatus of={row} />
        </td>
        <td data-head="Commit">
          <Commit sha={row.commit_sha} />
        </td>
        <td data-head="Version">{row.version ?? <span class="soft none">–</span>}</td>
        <td class="number" data-head="Took">
          {row.duration_seconds === null ? <span class="none">–</span> : durationText(row.duration_seconds)}
        </td>
        <td data-head="Counted">
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
