import { SETTINGS } from '../settings/setting.js';

const rows = SETTINGS.map(({ name, meaning, otherwise }) => `  ${name}\n      ${meaning} (${otherwise})`);

/** What `--help` prints. */
export const HELP: string = `Usage: shipworthy-server [command]

  start     run the server (what it does without a command)
  migrate   bring the schema of the database up to date
  config    print the settings in effect, secrets hidden
  --help    this text
  --version the version

Settings are read from the environment; what stands in brackets holds when one is unset:

${rows.join('\n')}
`;
