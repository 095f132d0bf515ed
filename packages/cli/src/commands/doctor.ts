import { Command } from '@commander-js/extra-typings';
import { diagnose } from '../doctor/diagnose.js';
import { exitOf, resultsData, resultsText } from '../doctor/show-results.js';
import { examine } from '../doctor/step.js';
import { storeToken } from '../doctor/store-token.js';
import { EXIT } from '../failure.js';
import { paintFor } from '../output/screen.js';
import type { Act } from '../session.js';
import { asSeconds } from './option-values.js';

const HELP = `
Groups: server, host, repository, https, credentials, agent; the steps of each are named as in server.key.
Every step is ready, needs action, or couldn't be checked, with the fix. Nothing is changed, nothing is asked, no secret is shown.

Exit: 0 everything is ready, 3 a step needs action, 5 none does but something couldn't be checked.

  shipworthy doctor                                 all groups
  shipworthy doctor server https.head               only these, and what they depend on
  shipworthy doctor --store-token < token.txt       has git's credential helper keep a token, once the host accepted it
  shipworthy doctor --agent 'my-agent -p {prompt}'  also proves that an agent reads here without changing anything
`;

/** `shipworthy doctor`: whether this machine is ready to work on the linked repository. */
export const doctorCommand = (act: Act) =>
  new Command('doctor')
    .description('say whether this machine is ready to work on the linked repository, and how to make it so')
    .argument('[check...]', 'groups or steps; all unless given')
    .option(
      '--agent <command>',
      'command of a coding agent; {prompt} stands for the question, else it is the last argument',
    )
    .option('--agent-timeout <seconds>', 'time for the agent', asSeconds, 120)
    .option(
      '--store-token',
      "read a token of the repository host from stdin, check it, and hand it to git's credential helper",
    )
    .option('--token-username <name>', 'user name the host wants beside a token, where it is not known')
    .addHelpText('after', HELP)
    .action(
      act(
        async (
          { world, screen, globals, ended },
          checks,
          { agent, agentTimeout, storeToken: store, tokenUsername },
        ) => {
          const options = { agent, agentTimeoutMs: agentTimeout * 1000, tokenUsername };
          const surroundings = { world, screen, globals, options };
          const ending = new AbortController();
          // Programs of a group of their own hear of no Ctrl-C, and a terminal that is read keeps the process alive.
          ended.catch(() => {
            ending.abort();
            if (store) world.stdin.destroy();
          });
          if (store) {
            const token = await storeToken(examine(surroundings));
            const keeper = `by git's credential helper (${token.helpers.join(', ')})`;
            const whether = token.stored ? 'is stored' : 'was accepted, and would be stored';
            screen.answer(`The token for ${token.host} ${whether} as ${token.username} ${keeper}.`, token);
            return EXIT.done;
          }
          const results = await diagnose(surroundings, checks, ending.signal);
          screen.answer(resultsText(results, paintFor(world.stdout, world.env, globals.color)), resultsData(results));
          return exitOf(results);
        },
      ),
    );
