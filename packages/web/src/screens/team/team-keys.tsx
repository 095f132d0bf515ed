import type { TeamApiKey } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useQuery } from '../../navigation/navigate.js';
import { Address } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { useSettled } from '../../parts/field.js';
import { ExportCsv, FindField, searchQuery, withoutEmpty } from '../../parts/list-filter.js';
import { Expiry, Moment } from '../../parts/moment.js';
import { Empty } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { scopesText } from '../settings/key-words.js';
import { TeamPage, type TeamWithMembers, useTeam } from './team-page.js';
import './team.css';

const HEADS = ['Key', 'Made by', 'Permissions', 'Access', 'Last used', 'Expires', { number: 'Action' }] as const;

const accessText = (apiKey: TeamApiKey, { projects }: TeamWithMembers): string => {
  if (apiKey.all_teams) return 'All teams of its maker';
  if (apiKey.project_id === null) return 'This team';
  return `Project ${isolated(projects.find(({ id }) => id === apiKey.project_id)?.name ?? '')}`;
};

interface TeamKeyProps {
  readonly apiKey: TeamApiKey;
  readonly team: TeamWithMembers;
  readonly onDone: () => void;
}

const TeamKey = ({ apiKey, team, onDone }: TeamKeyProps) => (
  <tr>
    <th scope="row" data-head="Key">
      <bdi>{apiKey.name}</bdi>
      <br />
      <code class="small soft">{apiKey.prefix}…</code>
    </th>
    <td data-head="Made by">
      <bdi>{apiKey.maker.name}</bdi>
      <br />
      <Address {...apiKey.maker} />
    </td>
    <td data-head="Permissions">{scopesText(apiKey.scopes)}</td>
    <td data-head="Access">{accessText(apiKey, team)}</td>
    <td data-head="Last used">
      {apiKey.last_used_at === null ? 'Never' : <Moment at={apiKey.last_used_at} />}
      <br />
      <span class="small soft">{apiKey.last_used_address}</span>
    </td>
    <td data-head="Expires">
      <Expiry at={apiKey.expires_at} />
    </td>
    <td class="number">
      <ConfirmButton
        text="Take out"
        label={`Take out ${isolated(apiKey.name)}`}
        title={`Take “${isolated(apiKey.name)}” out of ${isolated(team.name)}?`}
        compact
        perform={() => client.barApiKey({ path: { team_id: team.id, api_key_id: apiKey.id } })}
        onDone={onDone}
      >
        <p>
          What uses the key is refused in this team from now on. <bdi>{apiKey.maker.name}</bdi> sees that. This cannot
          be undone.
        </p>
      </ConfirmButton>
    </td>
  </tr>
);

const Keys = ({ team }: { readonly team: TeamWithMembers }) => {
  const [{ text = '' }, change] = useQuery();
  const wanted = withoutEmpty({ q: searchQuery(useSettled(text)) });
  const isFiltered = text.trim() !== '' || wanted.q !== undefined;
  const keys = usePaged(`team-keys/${team.id}?${new URLSearchParams(wanted)}`, async (page, signal) => {
    const query = { ...page, ...wanted };
    const { body } = await client.listTeamApiKeys({ path: { team_id: team.id }, query, signal });
    return body;
  });
  return (
    <>
      <search class="filters">
        <FindField
          label="Find a key"
          placeholder="Name of key or maker"
          text={text}
          onText={(entered) => change({ text: entered })}
        />
        <ExportCsv place={{ teamId: team.id }} file="api-keys.csv" wanted={wanted} />
      </search>
      <Shown of={keys}>
        {({ rows }) =>
          rows.length === 0 && isFiltered ? (
            <Empty title="No such key">
              <p>No API key that reaches this team matches the filter.</p>
              <Button onClick={() => change({ text: '' })}>Show all keys</Button>
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title="No API key reaches this team">
              <p>Members make keys in their settings.</p>
            </Empty>
          ) : (
            <>
              <Table cards label="API keys" heads={[...HEADS]}>
                {rows.map((apiKey) => (
                  <TeamKey key={apiKey.id} apiKey={apiKey} team={team} onDone={() => void keys.refresh()} />
                ))}
              </Table>
              <ShowMore of={keys} rows="keys" />
            </>
          )
        }
      </Shown>
    </>
  );
};

/** The API keys that reach a team, for its owners. */
export const TeamKeys = () => {
  const { teamId = '' } = useRoute().params;
  return (
    <TeamPage team={useTeam(teamId)} teamId={teamId} title="API keys">
      {(team) => <Keys team={team} />}
    </TeamPage>
  );
};
