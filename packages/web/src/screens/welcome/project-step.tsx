import type { Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Step } from './step.js';

interface Made {
  project?: string;
  release?: string;
}

interface ProjectStepProps {
  readonly team: Team | undefined;
  readonly chosen: Team['projects'][number] | undefined;
  readonly onDone: (teamId: string, projectId: string) => void;
}

/** A project and its first release, which is active at once, so that the first report counts for something. */
export const ProjectStep = ({ team, chosen, onDone }: ProjectStepProps) => {
  const [name, setName] = useState('');
  const [release, setRelease] = useState('1.0');
  // What is there already when a later part fails: trying again goes on from it.
  const [made, setMade] = useState<Made>({});
  const create = useAction(async (teamId: string) => {
    const now = { ...made };
    const inTeam = { team_id: teamId };
    try {
      now.project ??= (await client.createProject({ path: inTeam, body: { name } })).body.data.id;
      const path = { ...inTeam, project_id: now.project };
      now.release ??= (await client.createRelease({ path, body: { name: release } })).body.data.id;
      await client.activateRelease({ path: { ...path, release_id: now.release } });
    } finally {
      setMade(now);
    }
    onDone(teamId, now.project);
  });
  const wrong = create.fault?.fields['/name'];
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
        {made.project === undefined ? (
          <TextField
            label="Name of the project"
            hint="What your pipeline deploys it as: reports find it by exactly this name."
            value={name}
            onValue={setName}
            wrong={wrong}
          />
        ) : (
          <p>
            Project <strong>{name}</strong> is created; its release is not yet.
          </p>
        )}
        <TextField
          label="Next release"
          hint="It becomes active now: what is reported from here on counts for it."
          value={release}
          onValue={setRelease}
          wrong={made.project === undefined ? undefined : wrong}
        />
        <div>
          <Button submit look="main" busy={create.running}>
            {made.project === undefined ? 'Create the project' : 'Create the release'}
          </Button>
        </div>
      </form>
    </Step>
  );
};
