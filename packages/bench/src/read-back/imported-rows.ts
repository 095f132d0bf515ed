import type { WorldCount } from '../host/count-world.js';
import type { LinkedProject } from '../subject/linked-repository.js';
import type { Person } from '../subject/person.js';
import { requireEqual } from './equal.js';
import type { Query } from './query.js';

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

/** Issues and deployments are stored once each, under a name of the host's of their own, and no others. @throws Error */
export const requireImportedOnce = async (query: Query, projectId: string, world: WorldCount): Promise<void> => {
  for (const table of ['issues', 'deployments'] as const) {
    const [found] = await query(`
      select count(*) as stored, count(distinct external_id) as names from ${table} where project_id = '${projectId}'`);
    requireEqual(`Stored ${table}`, found?.stored, world[table]);
    requireEqual(`Different ${table}`, found?.names, world[table]);
  }
};

/** Every open milestone is a release, and no other; its report counts the issues that the host counts. @throws Error */
export const requireScope = async (person: Person, { path }: LinkedProject, world: WorldCount): Promise<void> => {
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
