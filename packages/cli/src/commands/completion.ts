import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { SHELLS, treeOf } from '../completion.js';
import { EXIT } from '../failure.js';
import type { Act } from '../session.js';

const HOW = `
  bash        echo 'source <(shipworthy completion bash)' >> ~/.bashrc
  zsh         echo 'source <(shipworthy completion zsh)' >> ~/.zshrc      (after compinit)
  fish        shipworthy completion fish > ~/.config/fish/completions/shipworthy.fish
  powershell  shipworthy completion powershell | Out-String | Invoke-Expression      (in $PROFILE)`;

const programOf = (command: CommandUnknownOpts): CommandUnknownOpts =>
  command.parent === null ? command : programOf(command.parent);

/** `shipworthy completion`: what a shell needs to complete commands, options and their values. */
export const completionCommand = (act: Act) =>
  new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell'] as const))
    .addHelpText('after', HOW)
    .action(
      act(async ({ world, screen, globals }, shell, _options, command) => {
        const script = SHELLS[shell](treeOf(programOf(command)));
        // No text of others is in it, and shells have their own use for two colons.
        if (globals.json) screen.answer('', { shell, script });
        else world.stdout.write(script.endsWith('\n') ? script : `${script}\n`);
        return EXIT.done;
      }),
    );
