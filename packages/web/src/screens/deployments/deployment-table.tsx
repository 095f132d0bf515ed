import type { Deployment } from '@shipworthy/client';
import type { ProjectPlace } from '../../navigation/places.js';
import { Commit } from '../../parts/commit.js';
import { Counted } from '../../parts/counted.js';
import { DeploymentStatus } from '../../parts/deployment-status.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Table } from '../../parts/table.js';
import { useNow } from '../../parts/use-now.js';
import { durationText } from '../../wording/moments.js';
import { inProgressText } from './in-progress.js';

const HEADS = ['Started', 'Status', 'Environment', 'Commit', 'Version', 'By', { number: 'Took' }, 'Counts'] as const;

const NONE = <span class="soft none">–</span>;

interface RowProps {
  readonly deployment: Deployment;
  readonly place: ProjectPlace;
  readonly now: number;
}

const Row = ({ deployment, place, now }: RowProps) => {
  const { status, environment, commit_sha, version, deployed_by, started_at, duration_seconds, url } = deployment;
  return (
    <tr>
      <th scope="row" data-head="Started" class="when">
        <Moment at={started_at} />
        {url === null ? null : (
          <div class="small">
            <a href={url} rel="noreferrer noopener" target="_blank">
              <Icon name="link" /> Pipeline run
            </a>
          </div>
        )}
      </th>
      <td data-head="Status" class="going">
        <DeploymentStatus of={deployment} />
        {status === 'started' ? (
          <div class="small soft">{inProgressText(new Date(started_at).getTime(), now)}</div>
        ) : null}
      </td>
      <td data-head="Environment" class="environment">
        {environment}
      </td>
      <td data-head="Commit">
        <Commit sha={commit_sha} />
      </td>
      <td data-head="Version">{version ?? NONE}</td>
      <td data-head="By">{deployed_by ?? NONE}</td>
      <td data-head="Took" class="number">
        {duration_seconds === null ? NONE : durationText(duration_seconds)}
      </td>
      <td data-head="Counts" class="small counts-for">
        <Counted of={deployment.attribution} place={place} />
      </td>
    </tr>
  );
};

interface DeploymentTableProps {
  readonly deployments: readonly Deployment[];
  readonly place: ProjectPlace;
}

/** Deployments, newest first: how each went, and what it counts for. */
export const DeploymentTable = ({ deployments, place }: DeploymentTableProps) => {
  const now = useNow();
  return (
    <Table cards label="Deployments" heads={HEADS}>
      {deployments.map((deployment) => (
        <Row key={deployment.id} deployment={deployment} place={place} now={now} />
      ))}
    </Table>
  );
};
