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
    label="Deployments in the release window"
    heads={['Time', 'Environment', 'Status', 'Commit', 'Version', { number: 'Took' }, 'Counted']}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <th scope="row">
          {row.url === null ? (
            <Moment at={row.started_at} />
          ) : (
            <a href={row.url} rel="noopener noreferrer">
              <Moment at={row.started_at} />
            </a>
          )}
        </th>
        <td>{row.environment}</td>
        <td>
          <DeploymentStatus of={row.status} />
        </td>
        <td>
          <Commit sha={row.commit_sha} />
        </td>
        <td>{row.version ?? <span class="soft">–</span>}</td>
        <td class="number">{row.duration_seconds === null ? '–' : durationText(row.duration_seconds)}</td>
        <td>
          <Counts row={row} />
        </td>
      </tr>
    ))}
  </Table>
);
