import type { RemotePlace } from '../../git/remote-url.js';
import type { HttpsFacts } from '../https/https-facts.js';

/** The interface of GitHub beside the place, which names the scopes of a classic token with every answer. */
const interfaceOf = ({ host, port }: RemotePlace): string =>
  host === 'github.com' ? 'https://api.github.com/' : `https://${host}${port === null ? '' : `:${port}`}/api/v3/`;

/** The scopes the host itself names for a token, as in `repo, read:org`; undefined where it names none. */
export const saidScopes = async (
  https: HttpsFacts,
  hostName: string | undefined,
  { password }: { readonly username: string; readonly password: string },
): Promise<string | undefined> => {
  const place = await https.place();
  if (hostName !== 'github' && place.host !== 'github.com') return undefined;
  const answer = await https.ask(new URL(interfaceOf(place)), `Bearer ${password}`).catch(() => undefined);
  const told = answer?.status === 200 ? answer.headers['x-oauth-scopes'] : undefined;
  return typeof told === 'string' && /^[\w:, -]{1,500}$/.test(told) ? told : undefined;
};
