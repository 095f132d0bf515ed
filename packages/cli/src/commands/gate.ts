import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { usageFailure } from '../failure.js';
import { runGate } from '../gate/run-gate.js';
import { isCommit } from '../pipeline/well-formed.js';
import { asGateOptions, ON_UNAVAILABLE, RELEASE, WAIT } from './gate-options.js';

const commitHash = (text: string): string => {
  if (!isCommit(text)) throw new InvalidArgumentError('Give a commit hash of 7-64 characters.');
  return text;
};

const EXITS = `
Exit codes: 0 go; 3 hold; 5 unknown, or nobody could be asked; 8 --wait ran out; 4 the key; 2 usage or no such release.
A decision "unknown" ends with 5, with --on-unavailable go too. To run a command only upon go: shipworthy deploy run --gate.`;

/** `shipworthy gate`: may the release ship? */
export const gateCommand = (act: Act) =>
  new Command('gate')
    .description('ask the ship gate; the exit code is the verdict')
    .addOption(RELEASE)
    .addOption(WAIT)
    .addOption(ON_UNAVAILABLE)
    .option('--shadow', 'say the verdict and end with 0 all the same, to try the gate out')
    .option('--signed <file>', 'write the signed verdict there, verified')
    .option('--commit <hash>', 'with --signed: refuse a verdict about another commit', commitHash)
    .addHelpText('after', EXITS)
    .action(
      act(async (session, { shadow, signed, commit, ...given }) => {
        if (commit !== undefined && signed === undefined)
          throw usageFailure('--commit goes with --signed: only a signed verdict says which commit it is about.');
        return runGate(session, { ...asGateOptions(given), shadow: shadow ?? false, signed, commit });
      }),
    );
