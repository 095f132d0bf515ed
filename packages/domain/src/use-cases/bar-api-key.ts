import { notFound } from '../errors.js';
import type { ChangePorts } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface BarApiKey extends InTeam {
  readonly keyId: string;
}

/**
 * Ends the reach of a key into one team for good; in the other teams of its maker it stays valid.
 * @throws DomainError `not-found`, `forbidden`
 */
export const barApiKey =
  (ports: ChangePorts) =>
  (command: BarApiKey): Promise<void> =>
    changeTeam(ports, command, 'owner', async ({ stores, team, now, note }) => {
      const { keyId } = command;
      const found = (await stores.apiKeys.reaching(team.id, now)).find(({ key }) => key.id === keyId);
      if (found === undefined || !(await stores.apiKeys.bar(keyId, team.id))) throw notFound('API key');
      const detail = { name: found.key.name, maker: found.maker.name };
      await note({ teamId: team.id, action: 'api_key.bar', resource: { type: 'api_key', id: keyId }, detail });
    });
