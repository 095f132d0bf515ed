import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { Act } from '../session.js';
import { type Flushed, flush, NOT_NOTED, sayRefused } from '../spool/deliver.js';
import { titleOf } from '../spool/entry.js';
import { type KeptEntry, openSpool, spoolFolder } from '../spool/spool.js';

const HELP = `
What deploy and tests could not report is kept in the user's state folder ($XDG_STATE_HOME/shipworthy/spool), at most 200
records and 14 days, and sent to the server it was made for, in order, with its original times. Where this machine's clock and
the server's differ by more than five seconds, the times that this machine kept are moved. Only the end of a deployment whose
start the server has counts from its arrival. A record that arrives twice is stored once. A report that arrives sends what is
kept too, for at most two seconds, so that flush is rarely needed.
Each record is sealed under the API key. One that is not, or under another key, is named and stays where it is: another
program may have put it there. --unsealed sends it; so it is after an update from a version that sealed nothing.

Ends with 0 when nothing is left, 2 when the server refused something (moved to the folder refused) or the folder cannot be
written, 4 when it rejected the key, 5 when it is away or something is kept for another address, under another key or in a file
that cannot be read.`;

const shown = ({ entry, reference }: KeptEntry) => ({
  reference,
  what: titleOf(entry),
  address: entry.address,
  made_at: new Date(entry.madeAt).toISOString(),
});

const exitOf = ({ refused, left, elsewhere, unsealed, failure }: Flushed): number => {
  if (failure !== undefined) return failure.exit;
  if (refused.length > 0) return EXIT.usage;
  return left.length + elsewhere.length + unsealed.length > 0 ? EXIT.unchecked : EXIT.done;
};

/** `shipworthy flush`: sends what was kept while the server was away. */
export const flushCommand = (act: Act) =>
  new Command('flush')
    .description('send what was kept while the server was away')
    .option('--unsealed', 'send those too that were not kept under this key; look at what flush names first')
    .addHelpText('after', HELP)
    .action(
      act(async (session, { unsealed: takesUnsealed }) => {
        const { screen, world } = session;
        const unreadable: string[] = [];
        const kept = await openSpool(world, screen, undefined).list((path) => unreadable.push(path));
        if (kept.length === 0) {
          if (unreadable.length === 0) screen.say('Nothing is kept.');
          screen.answer('', { sent: [], refused: [], left: [], elsewhere: [], unsealed: [], unreadable });
          return unreadable.length === 0 ? EXIT.done : EXIT.unchecked;
        }
        const flushed = await flush(session, await session.connect(), { takesUnsealed });
        const { sent, refused, left, elsewhere, unsealed, failure } = flushed;
        for (const { entry } of sent) screen.say(`Sent: ${harmless(titleOf(entry))}`);
        sayRefused(session, flushed);
        if (failure !== undefined) screen.warn(failure.message);
        if (left.length > 0)
          screen.warn(
            failure?.code === NOT_NOTED
              ? `${left.length} stay kept.`
              : `${left.length} could not be sent and stay kept.`,
          );
        for (const address of new Set(elsewhere.map(({ entry }) => entry.address)))
          screen.warn(
            `Something is kept for ${harmless(address)}: set SHIPWORTHY_API_URL to it, with its key, and flush again.`,
          );
        for (const { entry, name } of unsealed)
          screen.warn(
            `Not kept under this key, and left: ${harmless(titleOf(entry))}, made ${new Date(entry.madeAt).toISOString()} (${harmless(join(spoolFolder(world), name))}).`,
          );
        if (unsealed.length > 0)
          screen.say(
            'Flush with the key they were kept under; if you know them for yours: shipworthy flush --unsealed.',
          );
        screen.answer('', {
          sent: sent.map(shown),
          refused: refused.map(({ kept, failure: { code, message }, path }) => ({
            ...shown(kept),
            code,
            message,
            path,
          })),
          left: left.map(shown),
          elsewhere: elsewhere.map(shown),
          unsealed: unsealed.map(shown),
          unreadable,
        });
        const exit = exitOf(flushed);
        return exit === EXIT.done && unreadable.length > 0 ? EXIT.unchecked : exit;
      }),
    );
