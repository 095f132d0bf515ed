import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../host/host-process.js';
import type { WorldCount } from '../host/repository.js';
import { type Query, requireEqual } from '../read-back.js';
import type { RunningServer, SignedInPerson } from './shipworthy.js';

const PATIENCE_MS = 300_000;
const ASK_EVERY_MS = 50;

interface Link {
  readonly import: {
    readonly state: string;
    readonly message: string | null;
    readonly completed_at: string | null;
    readonly failure: { readonly message: string } | null;
  };
}

/** A project whose repository is imported. */
export interface LinkedProject {
  readonly id: string;
  /** The path of its routes. */
  readonly path: string;
  /** Links a repository and waits until its first import is through; returns the milliseconds that took. */
  link(repository: string): Promise<number>;
  /** Asks for another import and waits until it is through. */
  importAgain(): Promise<void>;
}

/** The settings by which a server uses the host. */
export const hostSettings = ({ webUrl, apiUrl, clientId, clientSecret }: Host): Readonly<Record<string, string>> => ({
  GITHUB_WEB_URL: webUrl,
  GITHUB_API_URL: apiUrl,
  GITHUB_CLIENT_ID: clientId,
  GITHUB_CLIENT_SECRET: clientSecret,
});

/** Approves the server at the host, as a person does in a browser. */
export const approveAtHost = async (host: Host, { port }: RunningServer, person: SignedInPerson): Promise<void> => {
  await host.register(`http://127.0.0.1:${port}/api/settings/github/callback`);
  const { url } = await person.post('/api/settings/github/connect', {});
  await person.visit(String(url));
};

/** Waits for an import after the given one; returns its moment. @throws Error when it fails, stops or takes too long */
const untilThrough = async (person: SignedInPerson, path: string, last: string | null): Promise<string | null> => {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(ASK_EVERY_MS)) {
    const { import: now } = await person.get<Link>(`${path}/repository`);
    if (now.state === 'idle' && now.completed_at !== last) return now.completed_at;
    if (now.state === 'failing' || now.state === 'stopped')
      throw new Error(`The import is ${now.state}: ${now.failure?.message ?? now.message}`);
  }
  throw new Error(`The import was not through within ${PATIENCE_MS / 1_000} s.`);
};

/** Creates an empty project for a repository to be linked to. */
export const projectToLink = async (person: SignedInPerson, teamId: string): Promise<LinkedProject> => {
  const { id } = await person.post(`/api/teams/${teamId}/projects`, { name: 'checkout' });
  const path = `/api/teams/${teamId}/projects/${String(id)}`;
  let completedAt: string | null = null;
  return {
    id: String(id),
    path,
    link: async (repository) => {
      const begin = performance.now();
      await person.put(`${path}/repository`, { repository, milestones: 'all', deployments: true, test_runs: 'none' });
      completedAt = await untilThrough(person, path, completedAt);
      return performance.now() - begin;
    },
    importAgain: async () => {
      await person.post(`${path}/issues/import`, {});
      completedAt = await untilThrough(person, path, completedAt);
    },
  };
};

interface NamedRelease {
  readonly id: string;
  readonly name: string;
}

interface Report {
  readonly axes: readonly {
    readonly axis: string;
    readonly facts: { readonly done: number; readonly total: number };
  }[];
}

/** Checks that every issue and deployment is stored once, under an external id of its own. @throws Error */
export const requireImportedOnce = async (query: Query, projectId: string, world: WorldCount): Promise<void> => {
  for (const table of ['issues', 'deployments'] as const) {
    const [found] = await query(`
      select count(*) as stored, count(distinct external_id) as names from ${table} where project_id = '${projectId}'`);
    requireEqual(`Stored ${table}`, found?.stored, world[table]);
    requireEqual(`Different ${table}`, found?.names, world[table]);
  }
};

/** Checks that releases are the open milestones, and that their reports count issues as the host does. @throws Error */
export const requireCountedScope = async (
  person: SignedInPerson,
  { path }: LinkedProject,
  world: WorldCount,
): Promise<void> => {
  const releases = await person.get<readonly NamedRelease[]>(`${path}/releases`);
  requireEqual('Releases', releases.length, world.milestones.length);
  for (const { title, done, total } of world.milestones) {
    const release = releases.find(({ name }) => name === title);
    if (release === undefined) throw new Error(`There is no release ${title}.`);
    const { axes } = await person.get<Report>(`${path}/releases/${release.id}/readiness`);
    const scope = axes.find(({ axis }) => axis === 'scope')?.facts;
    requireEqual(`Scope of ${title}`, `${scope?.done} of ${scope?.total}`, `${done} of ${total}`);
  }
};
