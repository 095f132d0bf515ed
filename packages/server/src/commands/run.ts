import { VERSION } from '../version.js';
import { backUp } from './back-up.js';
import { copyTo } from './copy-to.js';
import { type Given, readGiven, type Takes } from './given.js';
import { HELP } from './help.js';
import { migrate } from './migrate.js';
import { EXIT, type Outside } from './outside.js';
import { partition } from './partition.js';
import { restore } from './restore.js';
import { showConfig } from './show-config.js';
import { start } from './start.js';

interface Command extends Takes {
  readonly perform: (outside: Outside, given: Given) => number | Promise<number>;
}

const printing = (text: string): Command => ({
  perform: ({ print }) => {
    print(text);
    return EXIT.done;
  },
});

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { flags: ['--demo'], perform: (outside, { flags }) => start(outside, flags.has('--demo')) },
  migrate: { perform: migrate },
  backup: {
    argument: 'FILE',
    flags: ['--with-key'],
    perform: (outside, { argument, flags }) => backUp(outside, argument, flags.has('--with-key')),
  },
  restore: {
    argument: 'FILE',
    flags: ['--replace'],
    perform: (outside, { argument, flags }) => restore(outside, argument, flags.has('--replace')),
  },
  'copy-to': {
    argument: 'DATABASE_URL',
    optional: true,
    perform: (outside, { argument }) => copyTo(outside, argument),
  },
  partition: { perform: partition },
  config: { perform: showConfig },
  '--help': printing(HELP),
  '--version': printing(VERSION),
};

/** Runs the command the arguments name; answers the exit code. */
export const run = async (argv: readonly string[], outside: Outside): Promise<number> => {
  // Flags alone are meant for what is done without a command.
  const words = argv[0]?.startsWith('--') && !Object.hasOwn(COMMANDS, argv[0]) ? ['start', ...argv] : argv;
  const [name = 'start', ...rest] = words;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const given = command === undefined ? `There is no command ${name}.` : readGiven(name, rest, command);
  if (command !== undefined && typeof given !== 'string') return command.perform(outside, given);
  outside.complain(String(given));
  outside.complain('See shipworthy-server --help.');
  return EXIT.usage;
};
