import type { NewApiKey, Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Ticks } from '../../parts/tick.js';
import { dateText } from '../../wording/moments.js';
import { type KeyScope, SCOPES } from './scopes.js';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 90;
const MOST_DAYS = 365;
/** Clocks differ: a key of the longest life must not be refused for it. */
const CLOCKS_DIFFER_MS = 300_000;

interface NewKeyProps {
  readonly teams: readonly Team[];
  readonly onClose: () => void;
  readonly onDone: (key: NewApiKey) => void;
}

const endOf = (days: number): number => Date.now() + days * DAY_MS - (days === MOST_DAYS ? CLOCKS_DIFFER_MS : 0);

/** What a new key is called, what it may do and see, and until when. */
export const NewKey = ({ teams, onClose, onDone }: NewKeyProps) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(SCOPES.map(([scope]) => scope));
  const [teamId, setTeamId] = useState('');
  const [days, setDays] = useState(String(USUAL_DAYS));
  const count = Number(days);
  const within = Number.isInteger(count) && count >= 1 && count <= MOST_DAYS;
  const create = useAction(async () => {
    const { body } = await client.createApiKey({
      body: {
        name,
        scopes,
        ...(teamId === '' ? {} : { team_id: teamId }),
        ...(count === USUAL_DAYS ? {} : { expires_at: new Date(endOf(count)).toISOString() }),
      },
    });
    onDone(body.data);
  });
  const wrong = create.fault?.fields ?? {};
  return (
    <Dialog title="New API key" onClose={onClose} onSubmit={() => within && void create.run()}>
      {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
      <TextField
        label="Name"
        hint="Where it will be used."
        placeholder="checkout pipeline"
        autocomplete="off"
        value={name}
        onValue={setName}
        wrong={wrong['/name']}
      />
      <Ticks legend="It may" choices={SCOPES} chosen={scopes} onChosen={setScopes} wrong={wrong['/scopes']} />
      <Choice
        label="It sees"
        value={teamId}
        choices={[['', 'All teams I am in'], ...teams.map(({ id, name: title }) => [id, `Only ${title}`] as const)]}
        onValue={setTeamId}
        wrong={wrong['/team_id']}
      />
      <TextField
        label="Days until it expires"
        hint={within ? `Works until ${dateText(endOf(count))}.` : undefined}
        inputMode="numeric"
        value={days}
        onValue={setDays}
        wrong={within ? wrong['/expires_at'] : `Enter 1 to ${MOST_DAYS} days.`}
      />
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create the key
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
