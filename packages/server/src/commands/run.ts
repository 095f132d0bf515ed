import { SERVER_SETTINGS } from '../settings.js';
import { SERVER_VERSION } from '../version.js';
import { backUp, copyTo, distribute, migrateDatabase, partition, restore } from './database.js';
import { type Outside, SERVER_EXIT, showConfig } from './outside.js';
import { start } from './start.js';

/** The arguments and options of a command. */
export interface Takes {
  /** The name of its one argument; missing: it takes none. */
  readonly argument?: string;
  /** Whether the argument may be left out. */
  readonly optional?: true;
  readonly flags?: readonly string[];
}

/** The values given to a command. */
interface Given {
  /** Empty where none is given. */
  readonly argument: string;
  readonly flags: ReadonlySet<string>;
}

/** Reads the words behind a command's name; returns a sentence that says what is wrong when they do not fit. */
const readGiven = (
  command: string,
  words: readonly string[],
  { argument, optional, flags = [] }: Takes,
): Given | string => {
  const shown = words.filter((word) => word.startsWith('--'));
  const rest = words.filter((word) => !word.startsWith('--'));
  const unknown = shown.find((word) => !flags.includes(word));
  if (unknown !== undefined) return `${command} does not know ${unknown}.`;
  const [first = '', second] = rest;
  if (argument === undefined)
    return rest.length === 0 ? { argument: '', flags: new Set(shown) } : `${command} takes no arguments.`;
  if (first === '' && !optional) return `${command} needs its ${argument}.`;
  return second === undefined ? { argument: first, flags: new Set(shown) } : `${command} takes one ${argument}.`;
};

const rows = SERVER_SETTINGS.map(({ name, meaning, otherwise }) => `  ${name}\n      ${meaning} (${otherwise})`);

/** What `--help` prints. */
export const HELP: string = `Usage: shipworthy-server [command]

  start [--demo]              run the server (what it does without a command); --demo adds a demo for looking
                              around, once there is an administrator: three releases that one click removes
  migrate                     bring the schema of the database up to date
  backup FILE [--with-key]    write a copy of the SQLite database, also while the server runs; --with-key puts the
                              secret key beside it, as FILE.key
  restore FILE [--replace]    put such a copy in the place of the SQLite database, the server stopped; --replace keeps
                              a database in use aside
  copy-to [DATABASE_URL]      copy the SQLite database into the empty PostgreSQL database of SHIPWORTHY_COPY_TO_URL, the
                              server stopped; an argument is seen in the list of processes
  partition                   partition the tables of deployments and test runs by months on PostgreSQL, so that old months
                              can be dropped; once, also while servers run, all of them of this version
  distribute                  spread deployments, test runs and own-axis reports by project over the workers of a cluster of
                              Citus, all servers stopped; says what became of each table, and changes nothing when done
  config                      print the settings in effect, secrets hidden
  --help                      this text
  --version                   the version

Settings are read from the environment; the value in brackets applies when one is unset:

${rows.join('\n')}
`;

interface Command extends Takes {
  readonly perform: (outside: Outside, given: Given) => number | Promise<number>;
}

const printing = (text: string): Command => ({
  perform: ({ print }) => {
    print(text);
    return SERVER_EXIT.done;
  },
});

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { flags: ['--demo'], perform: (outside, { flags }) => start(outside, flags.has('--demo')) },
  migrate: { perform: migrateDatabase },
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
  distribute: { perform: distribute },
  config: { perform: showConfig },
  '--help': printing(HELP),
  '--version': printing(SERVER_VERSION),
};

/** Runs the command the arguments name; answers the exit code. */
export const runServerCommand = async (argv: readonly string[], outside: Outside): Promise<number> => {
  // Flags without a command belong to `start`.
  const words = argv[0]?.startsWith('--') && !Object.hasOwn(COMMANDS, argv[0]) ? ['start', ...argv] : argv;
  const [name = 'start', ...rest] = words;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const given = command === undefined ? `There is no command ${name}.` : readGiven(name, rest, command);
  if (command !== undefined && typeof given !== 'string') return command.perform(outside, given);
  outside.complain(String(given));
  outside.complain('See shipworthy-server --help.');
  return SERVER_EXIT.usage;
};
