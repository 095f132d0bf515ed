import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import type { CredentialVerdict } from './credential-facts.js';

const NEW_TOKEN =
  'Create a token with read and write access to repositories at the host, then: shipworthy doctor --store-token';

/** What the host said to credentials. Rejected only by a 401 that asks for credentials, as hosts answer; never by a page, a limit or a 404. */
export const findingOfVerdict = ({ read, write, status, scopes }: CredentialVerdict, host: string): Finding => {
  const both = [read, write];
  const named = scopes === undefined ? '' : ` Scopes it names: ${scopes}.`;
  if (read === 'refs' && write === 'refs') return ready(`${host} accepts it for reading and writing.${named}`);
  if (read === 'credentials' || (read === 'refs' && write === 'credentials'))
    return needsAction(`${host} rejected it (401).`, NEW_TOKEN);
  if (read === 'refs' && write === 'refused')
    return needsAction(`${host} accepts it for reading, and refuses writing (403).${named}`, NEW_TOKEN);
  if (both.includes('missing'))
    return needsAction(
      `${host} shows the repository not to whom it belongs (404).`,
      'At the host give the token, or its owner, access to the repository.',
    );
  if (both.includes('sign_in_page') || both.includes('elsewhere'))
    return couldNotCheck(
      'A sign-in page answered; that says nothing about the credentials.',
      'See the group Reachable over HTTPS.',
    );
  return couldNotCheck(`${host} answered ${status}, which says nothing about the credentials.`, 'Try again later.');
};
