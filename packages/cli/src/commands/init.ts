import { Command, Option } from '@commander-js/extra-typings';
import { EXIT } from '../failure.js';
import { CI_NAMES, type SetUp, setUpRepository } from '../init/set-up.js';
import type { Act } from '../session.js';

const HELP = `
Writes .shipworthy.json (address and project, never a key) and the snippet of your CI system, and with --agents the rules
for coding agents in AGENTS.md. Every difference is shown first; a file that is not its own is never changed.
A second run finds nothing to do.`;

const DONE = {
  create: 'to be created',
  change: 'to be changed',
  paste: 'to be put in by hand',
  unchanged: 'as it should be',
};

const textOf = ({ files, steps }: SetUp): string =>
  [
    ...files.map(({ path, action, written }) => `${path}: ${written ? 'written' : DONE[action]}`),
    ...steps.map((step) => `next: ${step}`),
  ].join('\n');

/** `shipworthy init`: sets a repository up, and shows the difference first. */
export const initCommand = (act: Act) =>
  new Command('init')
    .description('set this repository up: settings file, CI snippet, rules for coding agents')
    .addOption(new Option('--ci <system>', 'whose snippet; recognised unless given').choices(CI_NAMES))
    .option('--env <name>', 'environment the snippet deploys to', 'production')
    .option('--branch <name>', 'branch that is released; told by git unless given')
    .option('--agents', 'also write the rules for coding agents into AGENTS.md')
    .option('--yes', 'write without asking')
    .addHelpText('after', HELP)
    .action(
      act(async (session, { ci, env, branch, agents, yes }) => {
        const done = await setUpRepository(session, {
          ci,
          environment: env,
          branch,
          agents: agents ?? false,
          yes: yes ?? false,
        });
        session.screen.answer(textOf(done), done);
        return EXIT.done;
      }),
    );
