import type { ApiKey } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { SETTINGS } from '../../navigation/places.js';
import { Expiry, endsAboutNow } from '../../parts/expiry.js';
import { Notice } from '../../parts/notice.js';

/** The person's own API keys that expire within 14 days or have expired since; nothing where there are none. */
export const EndingKeys = () => {
  const keys = useResource<readonly ApiKey[]>('ending-keys', async (signal) => {
    const { body } = await client.listApiKeys({ signal });
    return body.data.filter(({ expires_at }) => endsAboutNow(expires_at));
  });
  const ending = keys.state.value.value ?? [];
  if (ending.length === 0) return null;
  return (
    <Notice look="attention">
      <p>
        Pipelines that use these <a href={SETTINGS}>API keys of yours</a> are refused once they expire. Replace them
        before:
      </p>
      <ul>
        {ending.map(({ id, name, expires_at }) => (
          <li key={id}>
            {name} <Expiry at={expires_at} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};
