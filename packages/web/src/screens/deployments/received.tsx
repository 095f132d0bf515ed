import type { Deployment, Project } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { inProject, type ProjectPlace, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice } from '../../parts/field.js';
import { Empty } from '../../parts/page.js';
import { ShowMore } from '../../parts/show-more.js';
import { Shown } from '../../parts/shown.js';
import { DeploymentTable } from './deployment-table.js';
import { EnvironmentTabs } from './environment-tabs.js';
import { HowToReport } from './how-to-report.js';
import { NoDeployments } from './no-deployments.js';

type Status = Deployment['status'];

const STATUSES = [
  ['', 'Any status'],
  ['started', 'In progress'],
  ['success', 'Success'],
  ['failure', 'Failure'],
] as const;

const isStatus = (text: string): text is Status => ['started', 'success', 'failure'].includes(text);

interface ReceivedProps {
  readonly project: Project;
  readonly place: ProjectPlace;
  /** Empty: all. */
  readonly environment: string;
  readonly status: string;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
}

/** Everything the project received, newest first, by environment and status. */
export const Received = ({ project, place, environment, status, onChange }: ReceivedProps) => {
  const wanted = {
    ...(environment === '' ? {} : { environment }),
    ...(isStatus(status) ? { status } : {}),
  };
  const isAll = Object.keys(wanted).length === 0;
  const deployments = usePaged(
    projectKey(place, `deployments?${new URLSearchParams(wanted)}`),
    async (page, signal) => {
      const { body } = await client.listDeployments({ path: inProject(place), query: { ...page, ...wanted }, signal });
      return body;
    },
  );
  if (isAll && deployments.state.value.value?.rows.length === 0) return <NoDeployments project={project} />;
  return (
    <>
      <EnvironmentTabs place={place} environment={environment} status={isStatus(status) ? status : ''} />
      <div class="filters">
        <Choice
          label="Status"
          value={isStatus(status) ? status : ''}
          choices={STATUSES}
          onValue={(chosen) => onChange({ status: chosen })}
        />
      </div>
      <Shown of={deployments} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No such deployment">
              <p>None of this status was reported for this environment.</p>
              <Button onClick={() => onChange({ environment: '', status: '' })}>Show all deployments</Button>
            </Empty>
          ) : (
            <div class="stack">
              <DeploymentTable deployments={rows} place={place} />
              <ShowMore of={deployments} rows="deployments" />
              <details>
                <summary>How to report a deployment</summary>
                <div class="stack told">
                  <HowToReport project={project} />
                </div>
              </details>
            </div>
          )
        }
      </Shown>
    </>
  );
};
