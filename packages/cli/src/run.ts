import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { axisCommand } from './commands/axis.js';
import { completionCommand } from './commands/completion.js';
import { deployCommand } from './commands/deploy.js';
import { doctorCommand } from './commands/doctor.js';
import { flushCommand } from './commands/flush.js';
import { gateCommand } from './commands/gate.js';
import { importCommand } from './commands/import.js';
import { initCommand } from './commands/init.js';
import { openCommand, releasesCommand, teamsCommand, whoamiCommand } from './commands/listings.js';
import { mcpCommand } from './commands/mcp.js';
import { asSeconds } from './commands/option-values.js';
import { scoreCommand } from './commands/score.js';
import { testsCommand } from './commands/tests.js';
import { whatIfCommand } from './commands/what-if.js';
import { DryRunEnd } from './connection.js';
import { EXIT, type ExitCode } from './failure.js';
import { harmless, hiding, inert, inertJson } from './output/safe-text.js';
import { JSON_VERSION, showFailure } from './output/screen.js';
import {
  type Act,
  type CommandSession,
  type GlobalOptions,
  type MakeCommand,
  openCommandSession,
  showUnsent,
} from './session.js';
import { VERSION } from './version.js';
import type { World } from './world.js';

const nameOf = (command: CommandUnknownOpts): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();

// The program declares these options below; the parser's type for a command of any shape forgets them.
const optionsOf = (command: CommandUnknownOpts) => command.optsWithGlobals() as unknown as GlobalOptions;

const perform = async (session: CommandSession, work: () => Promise<ExitCode>): Promise<ExitCode> => {
  try {
    return await Promise.race([work(), session.ended]);
  } catch (error) {
    // A dry run ends once its request was shown. The call then fails, which does not matter.
    const cause = session.globals.dryRun
      ? await Promise.race([session.ended, error]).catch((end: unknown) => end)
      : error;
    if (cause instanceof DryRunEnd) {
      showUnsent(session, cause);
      return session.dryRunExit;
    }
    return showFailure(session.screen, session.globals.json ?? false, session.world.env, cause);
  } finally {
    session.close();
  }
};

/** The program with all its commands; each ends by telling `done` its exit code. */
export const createProgram = (
  world: World,
  done: (exit: ExitCode) => void,
  argv: readonly string[] = [],
): CommandUnknownOpts => {
  const act: Act =
    (work) =>
    async (...all) => {
      const command = all.at(-1) as CommandUnknownOpts;
      const name = nameOf(command);
      const session = openCommandSession(world, name, optionsOf(command));
      done(await perform(session, () => work(session, ...all)));
    };
  const { shown } = hiding(world);
  const program = new Command('shipworthy')
    .description(
      'Reports deployments and test runs, obeys the ship gate, and says whether this machine is set up for both.',
    )
    .option('--api-url <url>', 'address of the server (SHIPWORTHY_API_URL)')
    .option('--app <name>', 'name of the project (SHIPWORTHY_APP)')
    .option('--json', 'one JSON document on stdout')
    .option('--dry-run', 'show the request that would change something, and send nothing')
    .option('--timeout <seconds>', 'time for one call, its repetitions included', asSeconds, 30)
    .option('--no-color', 'no colours (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('See shipworthy --help.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(inert(shown(harmless(text)))),
      writeErr: (text) => world.stderr.write(inert(shown(harmless(text)))),
    });
  // After a command's name `--version` is that command's own, as in `deploy run --version 2.4.1`.
  if (argv.every((word) => word.startsWith('-'))) program.version(VERSION);
  for (const make of ALL_COMMANDS) program.addCommand(inheriting(make(act), program));
  return program;
};

/** Every command, in the order of the help text. */
const ALL_COMMANDS: readonly MakeCommand[] = [
  deployCommand,
  testsCommand,
  axisCommand,
  gateCommand,
  scoreCommand,
  whatIfCommand,
  openCommand,
  initCommand,
  doctorCommand,
  mcpCommand,
  flushCommand,
  importCommand,
  releasesCommand,
  teamsCommand,
  whoamiCommand,
  completionCommand,
];

/** Gives a command and those below it the parent's ways to end and to write, which a command made on its own lacks. */
const inheriting = (command: CommandUnknownOpts, parent: CommandUnknownOpts): CommandUnknownOpts => {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(child, command);
  return command;
};

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
};

/** The JSON document for an unknown command. */
const usageDocument = (message: string): string => {
  const error = {
    exit: EXIT.usage,
    code: 'usage',
    message,
    faults: [],
    fixes: [],
    request_id: null,
  };
  return JSON.stringify({ version: JSON_VERSION, command: '', error });
};

/** Runs the command line in the world and returns the exit code. A command that fails does not throw. */
export const run = async (argv: readonly string[], world: World): Promise<ExitCode> => {
  let exit: ExitCode = EXIT.done;
  const done = (code: ExitCode): void => {
    exit = code;
  };
  const program = createProgram(world, done, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (wantsJson(argv)) world.stdout.write(`${inertJson(hiding(world).shown(usageDocument(error.message)))}\n`);
    return EXIT.usage;
  }
};
