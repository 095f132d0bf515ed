import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { usageFailure } from '../failure.js';
import { runGate } from '../gate/run-gate.js';
import { spanMs } from '../gate/span.js';
import { isCommit } from '../pipeline/well-formed.js';

const span = (text: string): number => {
  const ms = spanMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a span such as 90s, 10m or 1h, at most 24h.');
  return ms;
};

const commitHash = (text: string): string => {
  if (!isCommit(text)) throw new InvalidArgumentError('Give a commit hash of 7-64 characters.');
  return text;
};

const EXITS = `
Exit codes: 0 go; 3 hold; 5 unknown, or nobody could be asked; 8 --wait ran out; 4 the key; 2 usage or no such release.
A decision "unknown" is never go, whatever --on-unavailable says.`;

/** `shipworthy gate`: may the release ship? */
export const gateCommand = (act: Act) =>
  new Command('gate')
    .description('ask the ship gate; the exit code is the verdict')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .option('--wait <span>', 'wait for go so long, such as 90s or 10m', span)
    .addOption(
      new Option('--on-unavailable <what>', 'how to take it when nobody can be asked')
        .choices(['hold', 'go'] as const)
        .default('hold' as const),
    )
    .option('--shadow', 'say the verdict and end with 0 all the same, to try the gate out')
    .option('--signed <file>', 'write the signed verdict there, verified')
    .option('--commit <hash>', 'with --signed: refuse a verdict about another commit', commitHash)
    .addHelpText('after', EXITS)
    .action(
      act(async (session, { release, wait, onUnavailable, shadow, signed, commit }) => {
        if (commit !== undefined && signed === undefined)
          throw usageFailure('--commit goes with --signed: only a signed verdict says which commit it is about.');
        const rules = { onUnavailable, shadow: shadow ?? false };
        return runGate(session, { ...rules, release, waitMs: wait ?? 0, signed, commit });
      }),
    );
