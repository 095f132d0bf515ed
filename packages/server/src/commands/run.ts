import { VERSION } from '../version.js';
import { HELP } from './help.js';
import { migrate } from './migrate.js';
import { EXIT, type Outside } from './outside.js';
import { showConfig } from './show-config.js';
import { start } from './start.js';

type Command = (outside: Outside) => number | Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  start,
  migrate,
  config: showConfig,
  '--help': ({ print }) => {
    print(HELP);
    return EXIT.done;
  },
  '--version': ({ print }) => {
    print(VERSION);
    return EXIT.done;
  },
};

/** Runs the command the arguments name; answers the exit code. */
export const run = async (argv: readonly string[], outside: Outside): Promise<number> => {
  const [name = 'start', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined && rest.length === 0) return command(outside);
  outside.complain(command === undefined ? `There is no command ${name}.` : `${name} takes no arguments.`);
  outside.complain('See shipworthy-server --help.');
  return EXIT.usage;
};
