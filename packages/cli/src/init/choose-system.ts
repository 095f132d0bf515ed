import { usageFailure } from '../failure.js';
import { ALL_SYSTEMS } from '../snippet/all-systems.js';
import type { CiSystem } from '../snippet/ci-system.js';

/** What `--ci` takes. */
export const CI_NAMES: readonly string[] = [...ALL_SYSTEMS.map(({ name }) => name), 'none'];

/** The named system, else the only one the repository shows traces of; undefined for none. Failure (exit 2) when it shows several. */
export const chooseSystem = (wanted: string | undefined, exists: (path: string) => boolean): CiSystem | undefined => {
  if (wanted !== undefined) return ALL_SYSTEMS.find(({ name }) => name === wanted);
  const [only, ...others] = ALL_SYSTEMS.filter(({ traces }) => traces.some(exists));
  if (only === undefined || others.length === 0) return only;
  const names = [only, ...others].map(({ name }) => name).join(', ');
  throw usageFailure(`This repository uses several CI systems: ${names}.`, 'Name one with --ci.');
};
