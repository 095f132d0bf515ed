import { useId, useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { endSession, ROLE_TITLES, visitor } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import {
  chooseDensity,
  chooseScheme,
  chosenDensity,
  chosenScheme,
  type Density,
  type Scheme,
} from '../../appearance/appearance.js';
import { teamAddress, WELCOME } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Form, TextField } from '../../parts/field.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';

/** The account's name, password, appearance and sign-out. */
export const Account = () => {
  const who = visitor.value;
  const leave = useAction(endSession);
  if (who.kind !== 'signed_in') return null;
  return (
    <SettingsPage title="Account">
      <div class="pair">
        <div class="stack wide">
          <Panel
            title="You"
            beside={
              <Button compact busy={leave.running} onClick={() => void leave.run()} label="Sign out here">
                Sign out
              </Button>
            }
          >
            {leave.fault === undefined ? null : <FaultNotice fault={leave.fault} />}
            <dl class="terms">
              <dt>Name</dt>
              <dd>{who.user.name}</dd>
              <dt>Email</dt>
              <dd>
                <bdi>{who.user.email}</bdi>
                {who.user.email_verified ? null : ' (unverified: an administrator can vouch for it)'}
              </dd>
            </dl>
          </Panel>
          <Teams />
          <Appearance />
        </div>
        <div class="stack wide">
          <ChangePassword email={who.user.email} />
        </div>
      </div>
    </SettingsPage>
  );
};

const Teams = () => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  return (
    <Panel title="Your teams">
      <Shown of={caller} lines={1}>
        {({ teams }) =>
          teams.length === 0 ? (
            <p class="soft">
              None yet. <a href={WELCOME}>Create a team</a> with its first project.
            </p>
          ) : (
            <ul class="stack tight">
              {teams.map((team) => (
                <li key={team.id}>
                  <a href={teamAddress(team.id)}>
                    <bdi>{team.name}</bdi>
                  </a>{' '}
                  <span class="soft small">{ROLE_TITLES[team.role]}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
};

const SCHEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const satisfies readonly (readonly [Scheme, string])[];

const DENSITIES = [
  ['dense', 'Dense'],
  ['comfortable', 'Comfortable'],
] as const satisfies readonly (readonly [Density, string])[];

/** Colours and density, in this browser. */
const Appearance = () => (
  <Panel title="Appearance">
    <div class="stack">
      <Choices legend="Appearance in this browser" choices={SCHEMES} chosen={chosenScheme()} choose={chooseScheme} />
      <Choices legend="Density in this browser" choices={DENSITIES} chosen={chosenDensity()} choose={chooseDensity} />
    </div>
  </Panel>
);

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly (readonly [value: T, title: string])[];
  readonly chosen: T;
  readonly choose: (value: T) => void;
}

/** Radio buttons; a choice takes effect at once. */
const Choices = <T extends string>({ legend, choices, chosen, choose }: ChoicesProps<T>) => {
  const name = useId();
  const [now, setNow] = useState(chosen);
  return (
    <fieldset class="row">
      <legend class="small soft">{legend}</legend>
      {choices.map(([value, title]) => (
        <label class="tick" key={value}>
          <input
            type="radio"
            name={name}
            checked={now === value}
            onChange={() => {
              choose(value);
              setNow(() => value);
            }}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
};

const EMPTY = { current_password: '', new_password: '' };

/** Changes the password; every other session of the person ends. */
const ChangePassword = ({ email }: { readonly email: string }) => {
  const [form, setForm] = useState(EMPTY);
  const [changed, setChanged] = useState(false);
  const change = useAction(() => client.changePassword({ body: form }));
  const wrong = change.fault?.fields ?? {};
  return (
    <Panel title="Password">
      <Form
        fault={change.fault}
        fields={['/current_password', '/new_password']}
        onSubmit={async () => {
          setChanged(false);
          if (!(await change.run())) return;
          setForm(EMPTY);
          setChanged(true);
        }}
      >
        {/* Tells password managers whose password it is. */}
        <input type="email" autocomplete="username" value={email} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          value={form.current_password}
          onValue={(current_password) => setForm({ ...form, current_password })}
          wrong={wrong['/current_password']}
        />
        <TextField
          label="New password"
          hint="12 characters or more."
          type="password"
          autocomplete="new-password"
          value={form.new_password}
          onValue={(new_password) => setForm({ ...form, new_password })}
          wrong={wrong['/new_password']}
        />
        <p class="small soft">You are then signed out everywhere else. This cannot be undone.</p>
        <div>
          <Button submit busy={change.running}>
            Change the password
          </Button>
        </div>
        <div role="status">
          {changed ? (
            <Notice look="good">
              <p>Password changed. You are signed out everywhere else.</p>
            </Notice>
          ) : null}
        </div>
      </Form>
    </Panel>
  );
};
