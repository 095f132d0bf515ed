import { SETTINGS, type Setting } from '../settings/setting.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';

const shown = ({ name, otherwise, secret }: Setting, environment: Outside['environment']): string => {
  const value = environment[name];
  if (value === undefined || value.trim() === '') return `${name}=  (${otherwise})`;
  return `${name}=${secret ? '(set, hidden)' : value}`;
};

/** Prints the settings as they are in effect, secrets hidden, and what follows from them. Answers the exit code. */
export const showConfig = (outside: Outside): number => {
  const config = readSettings(outside);
  for (const setting of SETTINGS) outside.print(shown(setting, outside.environment));
  if (config === null) return EXIT.usage;
  const { database, dataDir } = config;
  outside.print(`database: ${database.kind === 'sqlite' ? database.file : 'PostgreSQL'}`);
  outside.print(`data folder: ${dataDir}`);
  return EXIT.done;
};
