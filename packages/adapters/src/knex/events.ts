import { DomainError, type Project } from '@shipworthy/domain';
import type { EventSourceStore } from '@shipworthy/domain/ports';
import { projectsOfSources } from './project-lookup-sql.js';
import { lockProject } from './projects.js';
import { among, query } from './query.js';
import type { Access } from './sql.js';

interface SourceColumns {
  readonly project_id: string;
  readonly place: number;
  readonly team_id: string;
  readonly source: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    event_sources: SourceColumns;
  }
}

const refuseTaken = async (
  access: Access,
  { id, teamId }: Pick<Project, 'id' | 'teamId'>,
  sources: readonly string[],
): Promise<void> => {
  const [taken] = await query(access)
    .from('event_sources as s')
    .join('projects as p', 'p.id', 's.project_id')
    .where('s.team_id', teamId)
    .whereNot('s.project_id', id)
    .where(among(access, 's.source', 'text', sources))
    .orderBy('s.source')
    .limit(1)
    .select<{ source: string; id: string; name: string }[]>('s.source', 'p.id', 'p.name');
  if (taken === undefined) return;
  const project = { id: taken.id, name: taken.name };
  const { source } = taken;
  throw new DomainError('event-source-taken', `${source} is an event source of ${project.name}.`, { source, project });
};

const replace = (access: Access, project: Pick<Project, 'id' | 'teamId'>, sources: readonly string[]): Promise<void> =>
  access.atomically(async (inside) => {
    await lockProject(inside, project.id);
    await refuseTaken(inside, project, sources);
    const stored = () => query(inside).from('event_sources');
    await stored().where('project_id', project.id).delete();
    const rows = sources.map((source, place) => ({ project_id: project.id, place, team_id: project.teamId, source }));
    if (rows.length > 0) await stored().insert(rows);
  });

export const eventSourceStore = (access: Access): EventSourceStore => ({
  ofProject: (projectId) =>
    query(access).from('event_sources').where('project_id', projectId).orderBy('place').pluck('source'),
  replace: (project, sources) => replace(access, project, sources),
  projectsOf: (sources) => projectsOfSources(access, sources),
});
