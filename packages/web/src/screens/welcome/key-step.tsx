import type { Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client, SERVICE_ADDRESS } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { CopyText } from '../../parts/copy-text.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { linesFor } from '../../wording/report-lines.js';
import { Listening } from './listening.js';
import { Step } from './step.js';

interface KeyStepProps {
  readonly team: Team | undefined;
  readonly project: Team['projects'][number] | undefined;
}

/** The first key, shown once inside the very lines that use it, and the wait for the first report. */
export const KeyStep = ({ team, project }: KeyStepProps) => {
  const [key, setKey] = useState<string | undefined>(undefined);
  const create = useAction(async (projectId: string, name: string) => {
    const { body } = await client.createApiKey({
      body: {
        name: `${name} pipeline`.slice(0, 200),
        scopes: ['read', 'deployments:write', 'test-runs:write'],
        project_id: projectId,
      },
    });
    setKey(body.data.key);
  });
  if (team === undefined || project === undefined)
    return (
      <>
        <Step number={3} title="Key for the pipeline" state="later" />
        <Step number={4} title="First report" state="later" />
      </>
    );
  const place = { teamId: team.id, projectId: project.id };
  return (
    <>
      <Step number={3} title="Key for the pipeline" state={key === undefined ? 'now' : 'done'}>
        <p>Your pipeline reports deployments and test runs with an API key. It is shown once.</p>
        {create.fault === undefined ? null : <FaultNotice fault={create.fault} />}
        <div>
          <Button look="main" busy={create.running} onClick={() => void create.run(project.id, project.name)}>
            Create the key
          </Button>
        </div>
      </Step>
      <Step number={4} title="First report" state={key === undefined ? 'later' : 'now'}>
        <Notice look="attention">
          <p>Copy the key now and keep it in your CI's secrets: it is not shown again.</p>
        </Notice>
        {linesFor({ address: SERVICE_ADDRESS, key: key ?? '', app: project.name, place }).map(({ title, text }) => (
          <div class="stack" key={title}>
            <h3>{title}</h3>
            <CopyText label={title} text={text} />
          </div>
        ))}
        <Listening place={place} />
      </Step>
    </>
  );
};
