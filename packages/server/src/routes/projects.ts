import type {
  PortfolioEntry,
  PortfolioPage,
  Project as WireProject,
  SearchResult as WireSearchResult,
} from '@shipworthy/client/contract';
import { type KnownStanding, notFound, type Principal, type Project, seesProject } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { reasonForm } from '@shipworthy/domain/readiness';
import {
  archiveProject,
  createProject,
  type KnownTrend,
  type PortfolioFilter,
  type PortfolioOrder,
  type PortfolioReading,
  type PortfolioRow,
  readPortfolio,
  renameProject,
  restoreProject,
  type SearchResult,
  search,
} from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import { BoundedMap } from '../http/rate-limit.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { requireTogether, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportWhole, type TableColumns } from './csv.js';
import { actorOf } from './replies.js';

/** A release by id and name only. */
export type NamedRelease = { readonly id: string; readonly name: string };

/** A project with its active release. `repository`: the linked one; null: no link; undefined: it was not read. */
const wireProject = (
  project: Project,
  active: NamedRelease | null | undefined,
  repository?: WireProject['repository'],
): WireProject => ({
  id: project.id,
  team_id: project.teamId,
  name: project.name,
  slug: project.slug,
  active_release: active ? { id: active.id, name: active.name } : null,
  ...(repository === undefined ? {} : { repository }),
  version: project.version,
  created_at: wireMoment(project.createdAt),
  archived_at: wireMomentOrNull(project.archivedAt ?? null),
});

/** The projects of a team that the caller sees, by name. */
const projectsInSight = async (
  { stores, slices }: Pick<Ports, 'stores' | 'slices'>,
  principal: Principal,
  teamId: string,
): Promise<readonly WireProject[]> => {
  const [projects, [overview]] = await Promise.all([
    stores.projects.ofTeams([teamId]),
    stores.teams.overview([teamId]),
  ]);
  const active = new Map(overview?.projects.map(({ id, activeRelease }) => [id, activeRelease]));
  const seen = projects.filter((project) => seesProject(principal, project));
  return slices.map(seen, (project) => wireProject(project, active.get(project.id)));
};

const list: RouteHandler<OperationOf<'listProjects'>> = async (_, { ports, principal, place: { teamId } }) => ({
  status: 200,
  body: { data: [...(await projectsInSight(ports, principal, teamId))] },
});

const PROJECT_COLUMNS: TableColumns<WireProject> = {
  name: ({ name }) => name,
  slug: ({ slug }) => slug,
  active_release: ({ active_release }) => active_release?.name ?? null,
  created_at: ({ created_at }) => created_at,
  archived_at: ({ archived_at }) => archived_at,
  id: ({ id }) => id,
  active_release_id: ({ active_release }) => active_release?.id ?? null,
};

const exportProjects: RouteHandler<OperationOf<'exportProjects'>> = async (_, { ports, principal, place }) => {
  const about = { name: 'projects', columns: PROJECT_COLUMNS, slices: ports.slices };
  return exportWhole(await projectsInSight(ports, principal, place.teamId), about);
};

const create: RouteHandler<OperationOf<'createProject'>> = async ({ body: { name } }, context) => {
  const { teamId } = context.place;
  const project = await createProject(context.ports, { by: actorOf(context), teamId, name });
  return { status: 201, body: { data: wireProject(project, null) } };
};

const read: RouteHandler<OperationOf<'readProject'>> = async (_, { ports: { stores }, place: { projectId } }) => {
  const [project, active, linked] = await Promise.all([
    stores.projects.byId(projectId),
    stores.releases.activeOf(projectId),
    stores.repositoryLinks.ofProject(projectId),
  ]);
  if (project === undefined) throw notFound('project');
  const repository =
    linked === undefined ? null : { path: linked.link.repository.path, url: linked.link.repository.url };
  return { status: 200, body: { data: wireProject(project, active, repository) } };
};

const rename: RouteHandler<OperationOf<'renameProject'>> = async ({ body: { name }, ifMatch: version }, context) => {
  const { ports, place } = context;
  const { teamId, projectId } = place;
  const active = await ports.stores.releases.activeOf(projectId);
  const present = (project: Project) => wireProject(project, active);
  const renamed = renameProject(ports, { by: actorOf(context), teamId, projectId, name, version });
  return { status: 200, body: { data: present(await withCurrent(present, renamed)) } };
};

const archive: RouteHandler<OperationOf<'archiveProject'>> = async (_, context) => {
  const { ports, place } = context;
  const project = await archiveProject(ports, { by: actorOf(context), ...place });
  return { status: 200, body: { data: wireProject(project, await ports.stores.releases.activeOf(project.id)) } };
};

const restore: RouteHandler<OperationOf<'restoreProject'>> = async (_, context) => {
  const { ports, place } = context;
  const project = await restoreProject(ports, { by: actorOf(context), ...place });
  return { status: 200, body: { data: wireProject(project, await ports.stores.releases.activeOf(project.id)) } };
};

export const projectRoutes = {
  listProjects: list,
  exportProjects,
  createProject: create,
  readProject: read,
  renameProject: rename,
  archiveProject: archive,
  restoreProject: restore,
} as const satisfies Partial<Routes>;

const readinessOf = ({ release, standing, trend }: NonNullable<PortfolioRow['active']>) => ({
  release: { id: release.id, name: release.name },
  as_of: wireMoment(standing.asOf),
  score: standing.score,
  coverage: standing.coverage,
  decision: standing.decision,
  decision_without_waivers: standing.decisionWithoutWaivers,
  waivers: standing.waivers,
  reason: standing.reason === null ? null : reasonForm(standing.reason),
  main_reason: standing.mainReason === null ? null : reasonForm(standing.mainReason),
  open_reasons: standing.openReasons,
  silent_sources: [...standing.silentSources],
  trend: trend.map(({ at, score }) => ({ at: wireMoment(at), score })),
});

/** One project of the portfolio. */
export const wirePortfolioEntry = ({
  team,
  project,
  active,
  lastDeploymentAt,
  lastTestRunAt,
  lastAxisReportAt,
}: PortfolioRow): PortfolioEntry => ({
  team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
  project: { id: project.id, name: project.name, slug: project.slug },
  readiness: active === null ? null : readinessOf(active),
  last_deployment_at: wireMomentOrNull(lastDeploymentAt),
  last_test_run_at: wireMomentOrNull(lastTestRunAt),
  last_axis_report_at: wireMomentOrNull(lastAxisReportAt),
});

/** A page of the portfolio, with the total, the counts and the teams beside its rows. */
const wirePage = (
  { total, counts, teams }: PortfolioReading,
  data: readonly PortfolioEntry[],
  next: string | null,
): PortfolioPage => ({
  data: [...data],
  next_cursor: next,
  total,
  counts,
  teams: teams.map(({ team: { id, name }, projects }) => ({ id, name, projects })),
});

type PortfolioQuery = RouteInput<OperationOf<'exportPortfolio'>>['query'];

const filterOf = ({ q = '', decision, team, silent }: PortfolioQuery): PortfolioFilter => ({
  text: q,
  decision: decision ?? null,
  teamId: team?.toLowerCase() ?? null,
  silent: silent ?? null,
});

/** null: neither order nor group was sent. */
const orderOf = ({ sort, order, group }: PortfolioQuery): PortfolioOrder | null =>
  sort === undefined && group === undefined
    ? null
    : { by: sort ?? 'team', descending: order === 'desc', grouped: group !== undefined };

const COLUMNS: TableColumns<PortfolioEntry> = {
  team: ({ team }) => team.name,
  project: ({ project }) => project.name,
  release: ({ readiness }) => readiness?.release.name ?? null,
  decision: ({ readiness }) => readiness?.decision ?? null,
  decision_without_waivers: ({ readiness }) => readiness?.decision_without_waivers ?? null,
  waivers: ({ readiness }) => readiness?.waivers ?? null,
  score: ({ readiness }) => readiness?.score ?? null,
  coverage: ({ readiness }) => readiness?.coverage ?? null,
  main_reason: ({ readiness }) => readiness?.main_reason?.message ?? null,
  open_reasons: ({ readiness }) => readiness?.open_reasons ?? null,
  silent_sources: ({ readiness }) => readiness?.silent_sources.join(' ') ?? null,
  as_of: ({ readiness }) => readiness?.as_of ?? null,
  last_deployment_at: ({ last_deployment_at }) => last_deployment_at,
  last_test_run_at: ({ last_test_run_at }) => last_test_run_at,
  last_axis_report_at: ({ last_axis_report_at }) => last_axis_report_at,
  team_id: ({ team }) => team.id,
  project_id: ({ project }) => project.id,
  release_id: ({ readiness }) => readiness?.release.id ?? null,
};

/** How many releases' standings and trends are kept; some 1.5 kB per release. */
const RELEASES_KEPT = 3000;

const ORDER_NEEDS = ['order', 'sort'] as const;

/** Projects in sight with their readiness, page by page or all at once. */
export const portfolioRoutes = () => {
  const kept = {
    standings: new BoundedMap<string, KnownStanding>(RELEASES_KEPT),
    trends: new BoundedMap<string, KnownTrend>(RELEASES_KEPT),
  };
  const read: RouteHandler<OperationOf<'readPortfolio'>> = async ({ query }, context) => {
    const { principal, ports, page, sealCursor } = context;
    requireTogether(query, [ORDER_NEEDS, ['cursor', 'limit']]);
    const asked = { principal, filter: filterOf(query), order: orderOf(query) };
    const reading = await readPortfolio(ports, kept, { ...asked, page: query.limit === undefined ? null : page });
    const data = await ports.slices.map(reading.rows, wirePortfolioEntry);
    if (query.limit === undefined) return { status: 200, body: { data: [...data] } };
    const next = sealCursor(reading.next);
    return { status: 200, body: wirePage(reading, data, next), next };
  };
  const exportTable: RouteHandler<OperationOf<'exportPortfolio'>> = async ({ query }, { principal, ports }) => {
    requireTogether(query, [ORDER_NEEDS]);
    const asked = { principal, filter: filterOf(query), order: orderOf(query) };
    const { rows } = await readPortfolio(ports, kept, asked);
    const { slices } = ports;
    return exportWhole(await slices.map(rows, wirePortfolioEntry), { name: 'portfolio', columns: COLUMNS, slices });
  };
  return { readPortfolio: read, exportPortfolio: exportTable } as const satisfies Partial<Routes>;
};

const wireSearchResult = ({ kind, id, name, match, state, team, project }: SearchResult): WireSearchResult => ({
  kind,
  id,
  name,
  match,
  state,
  team: { id: team.id, name: team.name },
  project: { id: project.id, name: project.name },
});

const find: RouteHandler<OperationOf<'search'>> = async ({ query: { q: text, limit = 20 } }, { ports, principal }) => {
  const found = await search(ports, { principal, text, limit });
  return { status: 200, body: { data: found.map(wireSearchResult) } };
};

/** The route that searches by name. */
export const searchRoutes = { search: find } as const satisfies Partial<Routes>;
