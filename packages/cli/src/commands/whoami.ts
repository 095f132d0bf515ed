import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { readCaller } from '../connection.js';
import { EXIT } from '../exit-code.js';
import { harmless } from '../output/safe-text.js';

/** `shipworthy whoami`: whose key this is, what it may do, and from where it was taken. */
export const whoamiCommand = (act: Act) =>
  new Command('whoami').description('say whose key this is, what it may do and until when').action(
    act(async ({ screen, connect, settings }) => {
      const { client, address } = await connect();
      const caller = await readCaller(client);
      const { name, scopes, teams, expires_at } = caller;
      const { apiUrl, apiKey } = await settings();
      const lines = [
        `${harmless(name)} at ${address} (address from ${apiUrl?.source.name}, key from ${apiKey?.source.name})`,
        `may ${scopes.join(', ')} until ${expires_at}`,
        ...teams.map((team) => `team ${harmless(team.name)}: ${team.role}`),
      ];
      const found = { address, address_from: apiUrl?.source.name, key_from: apiKey?.source.name };
      screen.answer(lines.join('\n'), { ...caller, ...found });
      return EXIT.done;
    }),
  );
