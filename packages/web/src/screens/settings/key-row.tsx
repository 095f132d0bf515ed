import type { ApiKey, Team } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { Expiry } from '../../parts/expiry.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { scopesText } from './scopes.js';

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** Those in sight. */
  readonly teams: readonly Team[];
  readonly onDone: () => void;
}

const nameOf = (teams: readonly Team[], teamId: string | null): string =>
  teams.find(({ id }) => id === teamId)?.name ?? 'a team I left';

const accessText = ({ team_id, project_id }: ApiKey, teams: readonly Team[]): string => {
  if (team_id === null) return 'All my teams';
  if (project_id === null) return nameOf(teams, team_id);
  const project = teams.flatMap(({ projects }) => projects).find(({ id }) => id === project_id);
  return `${project?.name ?? 'One project'} of ${nameOf(teams, team_id)}`;
};

/** A key as far as it may be seen, and its end. */
export const KeyRow = ({ apiKey, teams, onDone }: KeyRowProps) => (
  <tr>
    <th scope="row" data-head="Name">
      {apiKey.name}
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
        label={`Revoke ${apiKey.name}`}
        title={`Revoke “${apiKey.name}”?`}
        compact
        perform={() => client.revokeApiKey({ path: { api_key_id: apiKey.id } })}
        onDone={onDone}
      >
        <p>Whatever uses it is refused from now on. This cannot be undone.</p>
      </ConfirmButton>
    </td>
  </tr>
);
