import { SETTINGS } from '../settings/setting.js';

const rows = SETTINGS.map(({ name, meaning, otherwise }) => `  ${name}\n      ${meaning} (${otherwise})`);

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
  config                      print the settings in effect, secrets hidden
  --help                      this text
  --version                   the version

Settings are read from the environment; what stands in brackets holds when one is unset:

${rows.join('\n')}
`;
