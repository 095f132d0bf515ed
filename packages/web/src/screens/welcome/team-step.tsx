import type { Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Step } from './step.js';

interface TeamStepProps {
  readonly teams: readonly Team[];
  readonly chosen: Team | undefined;
  readonly onDone: (teamId: string) => void;
}

/** A team: one there is, or a new one. */
export const TeamStep = ({ teams, chosen, onDone }: TeamStepProps) => {
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const { body } = await client.createTeam({ body: { name } });
    onDone(body.data.id);
  });
  return (
    <Step number={1} title="Team" state={chosen === undefined ? 'now' : 'done'} result={chosen?.name}>
      {teams.length === 0 ? null : (
        <div class="row">
          {teams.map((team) => (
            <Button key={team.id} onClick={() => onDone(team.id)}>
              {team.name}
            </Button>
          ))}
          <span class="soft">or a new one</span>
        </div>
      )}
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
        <TextField
          label="Name of the team"
          hint="Who works on it together, such as Payments."
          value={name}
          onValue={setName}
          wrong={create.fault?.fields['/name']}
        />
        <div>
          <Button submit look="main" busy={create.running}>
            Create the team
          </Button>
        </div>
      </form>
    </Step>
  );
};
