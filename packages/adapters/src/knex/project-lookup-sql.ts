// SQL by hand: every report of a pipeline needs its project. One statement over a table of values, whose plan the
// database keeps, finds the projects of many reports.
import type { Instant, Project, ReleaseWindow } from '@shipworthy/domain';
import type { ProjectAt } from '@shipworthy/domain/ports';
import { type Access, groupedBy } from './sql.js';

export interface ProjectRow {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly slug: string;
  readonly version: number;
  readonly created_at: number;
  readonly archived_at: number | null;
}

/** The columns of a project, of the table `p`. */
const PROJECT_COLUMNS = 'p.id, p.team_id, p.name, p.slug, p.version, p.created_at, p.archived_at';

export const projectOfRow = (row: ProjectRow): Project => ({
  id: row.id,
  teamId: row.team_id,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
  ...(row.archived_at === null ? {} : { archivedAt: row.archived_at }),
});

interface ProjectAtRow extends ProjectRow {
  /** The name or id asked for. */
  readonly asked: string;
  readonly environments: string | null;
  readonly release_id: string | null;
  readonly release_name: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly shipped_at: number | null;
}

/** A project with every release whose window overlaps the requested times; none without rows. */
const projectOver = (rows: readonly ProjectAtRow[]): ProjectAt[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const releases = rows.flatMap(({ release_id: id, release_name: name, starts_at, ends_at, shipped_at }) =>
    id === null ? [] : [{ id, name, startsAt: starts_at, endsAt: ends_at, shippedAt: shipped_at }],
  );
  const environments = first.environments === null ? null : (JSON.parse(first.environments) as string[]);
  return [{ project: projectOfRow(first), environments, releases }];
};

const holds = ({ startsAt, endsAt }: ReleaseWindow, at: Instant): boolean =>
  startsAt <= at && (endsAt === null || at < endsAt);

const asAt = (over: ProjectAt, at: Instant): ProjectAt =>
  over.releases.every((window) => holds(window, at))
    ? over
    : { ...over, releases: over.releases.filter((window) => holds(window, at)) };

/** Asks for a project by its name or id, with the releases whose windows hold a moment. */
interface Lookup {
  readonly key: string;
  readonly at: Instant;
}

/** The projects of each lookup. Each key is asked for once, for all of its moments; equal lookups share the answer. */
export const projectsAt = async (
  access: Access,
  key: 'name' | 'id',
  lookups: readonly Lookup[],
): Promise<readonly (readonly ProjectAt[])[]> => {
  if (lookups.length === 0) return [];
  const { moment, rowset } = access.dialect;
  const asked = rowset('v', { key: key === 'id' ? 'id' : 'text', earliest: 'moment', latest: 'moment' });
  const rows = await access.read<ProjectAtRow>(
    `select v.key as asked, ${PROJECT_COLUMNS}, o.environments, r.id as release_id, r.name as release_name, r.starts_at,
        coalesce(r.shipped_at, r.canceled_at) as ends_at, r.shipped_at
      from ${asked.table} join projects p on p.${key} = v.key
        join policies o on o.project_id = p.id and o.version = p.policy_version
        left join releases r on r.project_id = p.id and r.starts_at <= v.latest
          and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > v.earliest)
      order by p.id, r.created_at desc, r.id desc`,
    asked.bindings(
      [...groupedBy(lookups, (lookup) => lookup.key)].map(([name, ofKey]) => {
        const [earliest, latest] = span(ofKey);
        return [name, moment(earliest), moment(latest)];
      }),
    ),
    `projects-by-${key}`,
  );
  const over = new Map(
    [...groupedBy(rows, (row) => row.asked)].map(([name, ofKey]) => [
      name,
      [...groupedBy(ofKey, ({ id }) => id).values()].flatMap(projectOver),
    ]),
  );
  return lookups.map(({ key: name, at }) => (over.get(name) ?? []).map((project) => asAt(project, at)));
};

const span = (lookups: readonly Lookup[]): readonly [earliest: Instant, latest: Instant] => {
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of lookups) {
    earliest = Math.min(earliest, at);
    latest = Math.max(latest, at);
  }
  return [earliest, latest];
};

/** The projects of each event source. */
export const projectsOfSources = async (access: Access, sources: readonly string[]) => {
  const { among, list } = access.dialect;
  const rows = await access.read<ProjectRow & { readonly source: string }>(
    `select s.source, ${PROJECT_COLUMNS} from event_sources s join projects p on p.id = s.project_id
      where ${among('s.source', 'text')} order by p.id`,
    [list([...new Set(sources)])],
    'projects-by-event-source',
  );
  const bySource = groupedBy(rows, ({ source }) => source);
  return sources.map((source) => (bySource.get(source) ?? []).map(projectOfRow));
};
