import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.js';
import type { Outside } from './outside.js';

/** A checkout has the sources of its packages; an installed package has none. */
const isCheckout = (directory: string): boolean => existsSync(join(directory, 'packages', 'server', 'src'));

/** The configuration; null when something is wrong with the settings, all of which was said then. */
export const readSettings = ({ environment, workingDirectory, homeDirectory, complain }: Outside): Config | null => {
  const checkout = isCheckout(workingDirectory);
  const { config, faults, warnings } = readConfig(environment, { workingDirectory, homeDirectory, checkout });
  for (const warning of warnings) complain(`Warning: ${warning}`);
  for (const fault of faults) complain(`Error: ${fault}`);
  return config;
};
