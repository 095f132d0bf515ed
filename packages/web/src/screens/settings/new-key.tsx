import type { NewApiKey, Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField, Ticks } from '../../parts/field.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { dateText } from '../../wording/moments.js';
import { type KeyScope, SCOPE_CHOICES } from './key-words.js';

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

const ALL_TEAMS = 'all_teams';

/** Where a new key may belong: each team with its projects, and all teams last. */
const homesFor = (teams: readonly Team[]): readonly (readonly [home: string, title: string])[] => [
  ...teams.flatMap(({ id, name, projects }) => [
    [`team_id ${id}`, `Team ${name}`] as const,
    ...projects.map((project) => [`project_id ${project.id}`, `Only ${project.name} of ${name}`] as const),
  ]),
  [ALL_TEAMS, 'All teams I am in'],
];

const bodyOf = (
  home: string,
): { readonly team_id?: string; readonly project_id?: string; readonly all_teams?: true } => {
  const [member, id = ''] = home.split(' ');
  if (member === 'project_id') return { project_id: id };
  return member === 'team_id' ? { team_id: id } : { all_teams: true };
};

/** What a new key is called, what it may do and see, and until when. */
export const NewKey = ({ teams, onClose, onDone }: NewKeyProps) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(SCOPE_CHOICES.map(([scope]) => scope));
  const [home, setHome] = useState(() => homesFor(teams)[0]?.[0] ?? ALL_TEAMS);
  const [days, setDays] = useState(String(USUAL_DAYS));
  const count = Number(days);
  const within = Number.isInteger(count) && count >= 1 && count <= MOST_DAYS;
  const create = useAction(async () => {
    const { body } = await client.createApiKey({
      body: {
        name,
        scopes,
        ...bodyOf(home),
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
      <Ticks
        legend="Permissions"
        choices={SCOPE_CHOICES}
        chosen={scopes}
        onChosen={setScopes}
        wrong={wrong['/scopes']}
      />
      <Choice
        label="Access"
        value={home}
        choices={homesFor(teams)}
        onValue={setHome}
        wrong={wrong['/team_id'] ?? wrong['/project_id']}
      />
      {home === ALL_TEAMS ? (
        <Notice look="attention">
          <p>
            Whoever gets hold of this key reaches every team you are in, and every team you join later. A key of one
            team or one project is safer.
          </p>
        </Notice>
      ) : null}
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
