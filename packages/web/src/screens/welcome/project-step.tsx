import type { Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Step } from './step.js';

interface ProjectStepProps {
  readonly team: Team | undefined;
  readonly chosen: Team['projects'][number] | undefined;
  readonly onDone: (teamId: string, projectId: string) => void;
}

/** A project and its first release, which is active at once, so that the first report counts for something. */
export const ProjectStep = ({ team, chosen, onDone }: ProjectStepProps) => {
  const [name, setName] = useState('');
  const [release, setRelease] = useState('1.0');
  const create = useAction(async (teamId: string) => {
    const { body: project } = await client.createProject({ path: { team_id: teamId }, body: { name } });
    const path = { team_id: teamId, project_id: project.data.id };
    const { body } = await client.createRelease({ path, body: { name: release } });
    await client.activateRelease({ path: { ...path, release_id: body.data.id } });
    onDone(teamId, project.data.id);
  });
  const state = chosen !== undefined ? 'done' : team === undefined ? 'later' : 'now';
  return (
    <Step number={2} title="Project and release" state={state} result={chosen?.name}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (team !== undefined) void create.run(team.id);
        }}
      >
        {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
        <TextField
          label="Name of the project"
          hint="What your pipeline deploys it as: reports find it by exactly this name."
          value={name}
          onValue={setName}
          wrong={create.fault?.fields['/name']}
        />
        <TextField
          label="Next release"
          hint="It becomes active now: what is reported from here on counts for it."
          value={release}
          onValue={setRelease}
        />
        <div>
          <Button submit look="main" busy={create.running}>
            Create the project
          </Button>
        </div>
      </form>
    </Step>
  );
};
