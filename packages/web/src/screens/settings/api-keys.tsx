import type { ApiKey, NewApiKey, Team } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client, SERVICE_ADDRESS } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { isOffered } from '../../api/session.js';
import { useQuery } from '../../navigation/navigate.js';
import { Button } from '../../parts/button.js';
import { OneTimeSecrets } from '../../parts/copy-text.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import {
  ExportCsv,
  FindField,
  foundBy,
  MOST_ROWS_WITHOUT_SEARCH,
  searchQuery,
  withoutEmpty,
} from '../../parts/list-filter.js';
import { Expiry, Moment } from '../../parts/moment.js';
import { Empty, Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { type KeyScope, keyLines, projectOf, SCOPE_CHOICES, scopesText } from './key-words.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';
import { useAction } from '../../api/use-action.js';
import { CheckboxGroup, Choice, TextField } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { dateText } from '../../wording/moments.js';

/** The person's keys for pipelines. */
export const ApiKeys = () => {
  const [{ text = '' }, change] = useQuery();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewApiKey | undefined>(undefined);
  const known = useResource('api-keys', async (signal) => {
    const [{ body: keys }, { body: teams }] = await Promise.all([
      client.listApiKeys({ signal }),
      client.listTeams({ signal }),
    ]);
    return { keys: keys.data, teams: teams.data };
  });
  const create = (text: string) => (
    <Button look="main" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {text}
    </Button>
  );
  const { keys = [], teams = [] } = known.state.value.value ?? {};
  // All of them are on hand, 500 at most, so the server is not asked.
  const isFound = foundBy(text);
  const found = keys.filter(({ name, prefix }) => isFound(`${name} ${prefix}`));
  const refresh = () => void known.refresh();
  return (
    <SettingsPage
      title="API keys"
      actions={
        keys.length === 0 ? undefined : (
          <>
            <ExportCsv file="settings/api-keys.csv" wanted={withoutEmpty({ q: searchQuery(text) })} />
            {create('New key')}
          </>
        )
      }
    >
      {created === undefined ? null : (
        <Panel
          title={`The key “${isolated(created.name)}”`}
          beside={
            <Button compact onClick={() => setCreated(undefined)}>
              Done
            </Button>
          }
        >
          <OneTimeSecrets
            texts={keyLines({
              address: SERVICE_ADDRESS,
              key: created,
              project: projectOf(teams, created),
            }).map(({ title, text }) => [title, text] as const)}
          >
            Copy the key now and keep it in your CI's secrets: it is not shown again.
          </OneTimeSecrets>
        </Panel>
      )}
      <Shown of={known}>
        {() =>
          keys.length === 0 ? (
            <Empty title="Create your first key">
              <p>
                Pipelines report deployments and test runs with an API key. It can do at most what you can do, and you
                can revoke it at any time.
              </p>
              {create('Create your first key')}
            </Empty>
          ) : (
            <>
              {keys.length > MOST_ROWS_WITHOUT_SEARCH || text !== '' ? (
                <search class="filters">
                  <FindField
                    label="Find a key"
                    placeholder="Words of the name"
                    text={text}
                    onText={(entered) => change({ text: entered })}
                  />
                </search>
              ) : null}
              {found.length === 0 ? (
                <Empty title="No such key">
                  <p>None of your API keys matches the filter.</p>
                  <Button onClick={() => change({ text: '' })}>Show all keys</Button>
                </Empty>
              ) : (
                <Table
                  cards
                  label="API keys"
                  heads={['Name', 'Permissions', 'Access', 'Last used', 'Expires', { number: 'Action' }]}
                >
                  {found.map((apiKey) => (
                    <KeyRow
                      key={apiKey.id}
                      apiKey={apiKey}
                      teams={teams}
                      onDone={() => {
                        if (created?.id === apiKey.id) setCreated(undefined);
                        refresh();
                      }}
                    />
                  ))}
                </Table>
              )}
            </>
          )
        }
      </Shown>
      {creating ? (
        <NewKey
          teams={teams}
          onClose={() => setCreating(false)}
          onDone={(key) => {
            setCreating(false);
            setCreated(key);
            refresh();
          }}
        />
      ) : null}
    </SettingsPage>
  );
};

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** The teams in sight. */
  readonly teams: readonly Team[];
  readonly onDone: () => void;
}

/** One key: its visible beginning, what it may do, and when it expires. */
const KeyRow = ({ apiKey, teams, onDone }: KeyRowProps) => (
  <tr>
    <th scope="row" data-head="Name">
      <bdi>{apiKey.name}</bdi>
      <br />
      <code class="small soft">{apiKey.prefix}…</code>
    </th>
    <td data-head="Permissions">{scopesText(apiKey.scopes)}</td>
    <td data-head="Access">
      {accessText(apiKey, teams)}
      {apiKey.barred_team_ids.map((teamId) => (
        <p class="small marked" key={teamId}>
          <Icon name="attention" /> An owner took it out of {nameOf(teams, teamId)}.
        </p>
      ))}
    </td>
    <td data-head="Last used">{apiKey.last_used_at === null ? 'Never' : <Moment at={apiKey.last_used_at} />}</td>
    <td data-head="Expires">
      <Expiry at={apiKey.expires_at} />
    </td>
    <td class="number">
      <ConfirmButton
        text="Revoke"
        label={`Revoke ${isolated(apiKey.name)}`}
        title={`Revoke “${isolated(apiKey.name)}”?`}
        compact
        perform={() => client.revokeApiKey({ path: { api_key_id: apiKey.id } })}
        onDone={onDone}
      >
        <p>Everything that uses it is refused from now on. This cannot be undone.</p>
      </ConfirmButton>
    </td>
  </tr>
);

const accessText = ({ team_id, project_id }: ApiKey, teams: readonly Team[]): string => {
  if (team_id === null) return 'All my teams';
  if (project_id === null) return nameOf(teams, team_id);
  const project = teams.flatMap(({ projects }) => projects).find(({ id }) => id === project_id);
  return `${isolated(project?.name ?? 'One project')} of ${nameOf(teams, team_id)}`;
};

const nameOf = (teams: readonly Team[], teamId: string | null): string =>
  isolated(teams.find(({ id }) => id === teamId)?.name ?? 'a team I left');

const DAY_MS = 86_400_000;
const USUAL_DAYS = 90;
const MOST_DAYS = 365;
/** Taken off the longest life, in milliseconds, so that the key is not refused where the browser's clock is ahead. */
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
    [`team_id ${id}`, `Team ${isolated(name)}`] as const,
    ...projects.map(
      (project) => [`project_id ${project.id}`, `Only ${isolated(project.name)} of ${isolated(name)}`] as const,
    ),
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

const isOfferedScope = (scope: KeyScope): boolean => scope !== 'axes:write' || isOffered('own-axes');

/** The form of a new key: its name, permissions, teams and expiry. */
const NewKey = ({ teams, onClose, onDone }: NewKeyProps) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(
    SCOPE_CHOICES.map(([scope]) => scope).filter(isOfferedScope),
  );
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
    <Dialog
      title="New API key"
      onClose={onClose}
      fault={create.fault}
      fields={['/name', '/scopes', '/team_id', '/project_id', '/expires_at']}
      onSubmit={() => (within ? create.run() : undefined)}
    >
      <TextField
        label="Name"
        hint="Where it will be used."
        placeholder="checkout pipeline"
        autocomplete="off"
        value={name}
        onValue={setName}
        wrong={wrong['/name']}
      />
      <CheckboxGroup
        legend="Permissions"
        choices={SCOPE_CHOICES.filter(([scope]) => isOfferedScope(scope))}
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
            Anyone with this key reaches every team you are in, and every team you join later. A key of one team or one
            project is safer.
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
