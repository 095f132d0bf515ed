import { usageFailure } from '../failure.js';
import { ALL_SYSTEMS } from '../snippet/all-systems.js';
import type { CiSystem } from '../snippet/ci-system.js';

/** What `--ci` takes. */
export const CI_NAMES: readonly string[] = [...ALL_SYSTEMS.map(({ name }) => name), 'none'];

/** The system of the host that a remote names; undefined: it names none that has one of its own. */
export const systemOfHost = (host: string | undefined): CiSystem | undefined => {
  if (host === undefined) return undefined;
  const name = host === 'github.com' ? 'github' : /^gitlab\./.test(host) ? 'gitlab' : undefined;
  return ALL_SYSTEMS.find((system) => system.name === name);
};

/**
 * The named system, else the only one the repository shows traces of, else that of its remote's host; undefined for none.
 * Failure (exit 2) when it shows traces of several.
 */
export const chooseSystem = (
  wanted: string | undefined,
  exists: (path: string) => boolean,
  host?: string,
): CiSystem | undefined => {
  if (wanted !== undefined) return ALL_SYSTEMS.find(({ name }) => name === wanted);
  const [only, ...others] = ALL_SYSTEMS.filter(({ traces }) => traces.some(exists));
  if (only === undefined) return systemOfHost(host);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ name }) => name).join(', ');
  throw usageFailure(`This repository uses several CI systems: ${names}.`, 'Name one with --ci.');
};
