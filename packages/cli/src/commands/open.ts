import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { EXIT } from '../exit-code.js';
import { findPlace } from '../project.js';

/** `shipworthy open`: the scorecard in the browser. */
export const openCommand = (act: Act) =>
  new Command('open')
    .description('open the scorecard in the browser, and print its address')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .action(
      act(async ({ world, screen, connect, settings, globals }, { release }) => {
        const { scorecard } = await findPlace(await connect(), await settings(), release);
        const opened = globals.dryRun ? false : await world.openPage(scorecard);
        if (globals.dryRun) screen.say('Dry run: no browser is opened.');
        else if (!opened) screen.say('No browser could be opened; the address is:');
        screen.answer(scorecard, { url: scorecard, opened });
        return EXIT.done;
      }),
    );
