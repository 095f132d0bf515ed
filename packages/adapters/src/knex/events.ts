import { DomainError, eventMessage, type Project, type ReleaseEvent } from '@shipworthy/domain';
import type { EventSourceStore, EventStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import { lockProject, PROJECT_COLUMNS, type ProjectRow, projectOfRow } from './projects.js';
import { type Access, groupedBy, remove } from './sql.js';

const COLUMNS = { project_id: 'id', id: 'id', type: 'text', body: 'text', at: 'moment' } as const;

/**
 * One delivery for each webhook that wants the event, in one statement for all of them. The webhooks are held, so that one
 * that is just being removed is waited for and left out.
 */
const enqueue = async (access: Access, events: readonly ReleaseEvent[]): Promise<void> => {
  const { rowset, moment, inJsonArray, forKeyShare } = access.dialect;
  const told = rowset('v', COLUMNS);
  const rows = events.map((event) => {
    const { project, id, type, at } = event;
    return [project.id, id, type, asJson(eventMessage(event)), moment(at)];
  });
  await access.write(
    `insert into webhook_deliveries (webhook_id, id, type, body, at, state, tries, next_at, attempts)
      select w.id, v.id, v.type, v.body, v.at, 'pending', 0, v.at, '[]' from ${told.table}
      join webhooks w on w.project_id = v.project_id and w.state = 'enabled' and ${inJsonArray('v.type', 'w.types')}
      ${forKeyShare === '' ? '' : `${forKeyShare} of w`}`,
    told.bindings(rows),
    'enqueue-events',
  );
};

export const eventStore = (access: Access): EventStore => ({
  append: (events) =>
    access.atomically(async (inside) => {
      await enqueue(inside, events);
      await inside.tell(events);
    }),
});

const refuseTaken = async (
  { dialect, read }: Access,
  { id, teamId }: Pick<Project, 'id' | 'teamId'>,
  sources: readonly string[],
): Promise<void> => {
  const [taken] = await read<{ source: string; id: string; name: string }>(
    `select s.source, p.id, p.name from event_sources s join projects p on p.id = s.project_id
      where s.team_id = ? and s.project_id <> ? and ${dialect.among('s.source', 'text')} order by s.source limit 1`,
    [teamId, id, dialect.list(sources)],
  );
  if (taken === undefined) return;
  const project = { id: taken.id, name: taken.name };
  const { source } = taken;
  throw new DomainError('event-source-taken', `${source} is an event source of ${project.name}.`, { source, project });
};

const replace = (access: Access, project: Pick<Project, 'id' | 'teamId'>, sources: readonly string[]): Promise<void> =>
  access.atomically(async (inside) => {
    await lockProject(inside, project.id);
    await refuseTaken(inside, project, sources);
    await remove(inside, 'event_sources', 'project_id = ?', [project.id]);
    const given = inside.dialect.rowset('v', { project_id: 'id', place: 'integer', team_id: 'id', source: 'text' });
    await inside.write(
      `insert into event_sources (project_id, place, team_id, source)
        select v.project_id, v.place, v.team_id, v.source from ${given.table}`,
      given.bindings(sources.map((source, place) => [project.id, place, project.teamId, source])),
    );
  });

export const eventSourceStore = (access: Access): EventSourceStore => ({
  ofProject: async (projectId) => {
    const text = 'select source from event_sources where project_id = ? order by place';
    return (await access.read<{ source: string }>(text, [projectId])).map(({ source }) => source);
  },
  replace: (project, sources) => replace(access, project, sources),
  projectsOf: async (sources) => {
    const { among, list } = access.dialect;
    const rows = await access.read<ProjectRow & { readonly source: string }>(
      `select s.source, ${PROJECT_COLUMNS} from event_sources s join projects p on p.id = s.project_id
        where ${among('s.source', 'text')} order by p.id`,
      [list([...new Set(sources)])],
      'projects-by-event-source',
    );
    const bySource = groupedBy(rows, ({ source }) => source);
    return sources.map((source) => (bySource.get(source) ?? []).map(projectOfRow));
  },
});
