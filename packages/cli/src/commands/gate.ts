import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { usageFailure } from '../failure.js';
import { type GateOptions, runGate } from '../gate/run-gate.js';
import type { Act } from '../session.js';
import { asCommit, spanMs } from './option-values.js';

const EXITS = `
Exit codes: 0 go; 3 hold; 5 unknown, or no server could be asked; 8 --wait ran out; 4 the key; 2 usage or no such release.
A decision "unknown" ends with 5, with --on-unavailable go too. To run a command only upon go: shipworthy deploy run --gate.`;

/** `shipworthy gate`: may the release ship? */
export const gateCommand = (act: Act) =>
  new Command('gate')
    .description('ask the ship gate; the exit code is the verdict')
    .addOption(RELEASE_OPTION)
    .addOption(WAIT)
    .addOption(ON_UNAVAILABLE)
    .option('--shadow', 'say the verdict and end with 0 all the same, to try the gate out')
    .option('--signed <file>', 'write the signed verdict there, verified')
    .option('--commit <hash>', 'with --signed: refuse a verdict about another commit', asCommit)
    .addHelpText('after', EXITS)
    .action(
      act(async (session, { shadow, signed, commit, ...given }) => {
        if (commit !== undefined && signed === undefined)
          throw usageFailure('--commit goes with --signed: only a signed verdict says which commit it is about.');
        return runGate(session, { ...asGateOptions(given), shadow: shadow ?? false, signed, commit });
      }),
    );

const span = (text: string): number => {
  const ms = spanMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a span such as 90s, 10m or 1h, at most 24h.');
  return ms;
};

// The options of the gate, shared by `gate` and `deploy run --gate`.

export const RELEASE_OPTION = new Option(
  '--release <id-or-name>',
  'the release that is asked about; the active one unless given',
);
export const WAIT = new Option('--wait <span>', 'wait for go at most this time, such as 90s or 10m').argParser(span);
export const ON_UNAVAILABLE = new Option(
  '--on-unavailable <what>',
  'how to take it when no server can be asked; hold unless given',
).choices(['hold', 'go'] as const);

/** The gate options as they were given. */
export interface GivenGateOptions {
  readonly release?: string | undefined;
  readonly wait?: number | undefined;
  readonly onUnavailable?: 'hold' | 'go' | undefined;
}

/** The gate options with their defaults: ask once, about the active release, and hold without an answer. */
export const asGateOptions = ({ release, wait, onUnavailable }: GivenGateOptions): GateOptions => ({
  release,
  waitMs: wait ?? 0,
  onUnavailable: onUnavailable ?? 'hold',
  shadow: false,
});
