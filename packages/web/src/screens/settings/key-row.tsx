import type { ApiKey } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { dateText } from '../../wording/moments.js';
import { scopesText } from './scopes.js';

const SOON_MS = 14 * 86_400_000;

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** undefined: not in sight any more. */
  readonly teamName: string | undefined;
  readonly onDone: () => void;
}

const Expiry = ({ at }: { readonly at: string }) => {
  const left = Date.parse(at) - Date.now();
  if (left > SOON_MS) return <time dateTime={at}>{dateText(at)}</time>;
  return (
    <span class="expiring">
      <Icon name="attention" /> {left > 0 ? null : 'expired '}
      <Moment at={at} />
    </span>
  );
};

/** A key as far as it may be seen, and its end. */
export const KeyRow = ({ apiKey, teamName, onDone }: KeyRowProps) => (
  <tr>
    <th scope="row" data-head="Name">
      {apiKey.name}
      <br />
      <code class="small soft">{apiKey.prefix}…</code>
    </th>
    <td data-head="May">{scopesText(apiKey.scopes)}</td>
    <td data-head="Sees">{apiKey.team_id === null ? 'All my teams' : (teamName ?? 'A team I left')}</td>
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
