import type { TestRunSource } from './repository-host.js';

/** The name here of a milestone or an issue of that host. */
export const externalName = (host: string, id: string): string => `${host}:${id}`;

/** What the names here of all deployments of that host begin with. */
export const deploymentPrefix = (host: string): string => `${host}:deployment:`;

/** The name here of a test run that stands for checks or a workflow of that host. */
export const testRunName = (host: string, source: TestRunSource, id: string): string => `${host}:${source}:${id}`;

/** The host's own id behind a name that begins with the prefix; null: it does not. */
export const hostIdIn = (name: string | null, prefix: string): string | null =>
  name?.startsWith(prefix) ? name.slice(prefix.length) : null;
