import type { Principal } from '../access/principal.js';
import type { PageKey, PageRequest } from '../page.js';
import type { Ports, Stores } from '../ports.js';
import type { GateDecision } from '../readiness/report.js';
import type { SilentSource } from '../readiness/silent-source.js';
import type { KeptStandings, KnownStanding, Standing } from '../release/facts.js';
import type { TrendPoint } from '../release/history.js';
import { holdsWords, searchTextOf } from '../search.js';
import type { Team, TeamOverview } from '../team.js';
import type { Instant } from '../time.js';
import { type KeptTrends, readStandings, readTrends } from './history.js';
import { readTeams } from './team.js';

/** How many points of the trend the portfolio shows. */
const PORTFOLIO_POINTS = 20;

/** One project of the portfolio. */
export interface PortfolioRow {
  readonly team: Pick<Team, 'id' | 'name' | 'slug' | 'demo'>;
  readonly project: { readonly id: string; readonly name: string; readonly slug: string };
  /** The active release with its standing and the last points of its trend, oldest first; null: none is active. */
  readonly active: {
    readonly release: { readonly id: string; readonly name: string };
    readonly standing: Standing;
    readonly trend: readonly TrendPoint[];
  } | null;
  /** When the newest deployment, test run and own-axis report of any release was reported; null: none yet. */
  readonly lastDeploymentAt: Instant | null;
  readonly lastTestRunAt: Instant | null;
  readonly lastAxisReportAt: Instant | null;
}

/** The decision about the active release of a project; `none` where no release is active. */
type ProjectDecision = GateDecision | 'none';

/** Which projects of the portfolio are listed; null or an empty text: all. */
export interface PortfolioFilter {
  readonly decision: ProjectDecision | null;
  readonly teamId: string | null;
  /** Only projects of which this source is silent; `any`: one of the two. */
  readonly silent: SilentSource['source'] | 'any' | null;
  /** Every word of it is in the name of the project or of its team, in any case. */
  readonly text: string;
}

/**
 * The order of the portfolio: by names of team and project, by name of the project, by decision (`hold` first), by
 * score (the lowest first), by the last report (the oldest first). Projects without a decision or score come last in
 * either direction.
 */
export interface PortfolioOrder {
  readonly by: 'team' | 'project' | 'decision' | 'score' | 'reported';
  readonly descending: boolean;
  /** Whether the projects of a team are listed together. */
  readonly grouped: boolean;
}

/** A page of the portfolio, and how many projects there are in all. */
export interface PortfolioReading {
  readonly rows: readonly PortfolioRow[];
  readonly next: PageKey | null;
  /** All projects in sight that are not archived, without any filter. */
  readonly total: number;
  /** How many projects of each decision pass all filters but the one by decision. */
  readonly counts: Readonly<Record<ProjectDecision, number>>;
  /**
   * The teams by name, each with how many of its projects pass all filters but the one by team; teams with none are
   * left out.
   */
  readonly teams: readonly { readonly team: Pick<Team, 'id' | 'name'>; readonly projects: number }[];
}

/** The caches of standings and trends from former reads. */
interface KeptOfReleases {
  readonly standings: KeptStandings;
  readonly trends: KeptTrends;
}

interface ReadPortfolio {
  readonly principal: Principal;
  readonly filter?: PortfolioFilter;
  /**
   * Unless given, pages are sorted by names of team and project in any case; without pages the order of the stores
   * stays.
   */
  readonly order?: PortfolioOrder | null;
  /** Everything in one page unless given. */
  readonly page?: PageRequest | null;
}

const EVERYTHING: PortfolioFilter = { decision: null, teamId: null, silent: null, text: '' };
const BY_NAMES: PortfolioOrder = { by: 'team', descending: false, grouped: false };

/**
 * Reads the projects in sight that are not archived, in a constant number of queries. Trends are read only for the
 * projects on the page; so are the last reports, unless the order depends on them.
 * @param kept standings and trends that did not change since they were kept are not read again
 */
export async function readPortfolio(
  ports: Pick<Ports, 'stores' | 'clock' | 'slices'>,
  kept: KeptOfReleases,
  { principal, filter = EVERYTHING, order = null, page = null }: ReadPortfolio,
): Promise<PortfolioReading> {
  const { stores } = ports;
  const overviews = await readTeams(stores, principal);
  const listed = overviews
    .filter(({ team }) => team.archivedAt === undefined)
    .flatMap(({ team, projects }) => projects.map((project) => ({ team, project })))
    .filter(({ project }) => project.archivedAt === undefined);
  const dependsOnReports = order?.by === 'reported';
  const [standings, allReports] = await Promise.all([
    readStandings(
      ports,
      kept.standings,
      listed.flatMap(({ project }) => project.activeRelease?.id ?? []),
    ),
    dependsOnReports ? lastReports(stores, listed) : NO_REPORTS,
  ]);
  const candidates = listed.map(({ team, project }) => candidateOf(team, project, standings, allReports));
  const isMeant = meantBy(filter);
  const found = candidates.filter(isMeant);
  const ofTeam = found.filter(({ team }) => filter.teamId === null || team.id === filter.teamId);
  const ofDecision = found.filter(({ decision }) => filter.decision === null || decision === filter.decision);
  const meant = ofTeam.filter(({ decision }) => filter.decision === null || decision === filter.decision);
  const { shown, next } = pageOf(meant, order, page);
  const [trends, reports] = await Promise.all([
    readTrends(
      ports,
      kept.trends,
      PORTFOLIO_POINTS,
      shown.flatMap(({ active }) => active?.release.id ?? []),
    ),
    dependsOnReports ? allReports : lastReports(stores, shown),
  ]);
  return {
    rows: shown.map((candidate) => rowOf(candidate, trends, reports)),
    next,
    total: listed.length,
    counts: countsOf(ofTeam),
    teams: teamsOf(ofDecision),
  };
}

/** When the sources of a project last reported; null: never. */
interface LastReports {
  readonly deployment: Instant | null;
  readonly testRun: Instant | null;
  readonly axisReport: Instant | null;
}

const NEVER: LastReports = { deployment: null, testRun: null, axisReport: null };
const NO_REPORTS: ReadonlyMap<string, LastReports> = new Map();

const lastReports = async (
  { deployments, testRuns, axisReports }: Pick<Stores, 'deployments' | 'testRuns' | 'axisReports'>,
  listed: readonly { readonly project: { readonly id: string } }[],
): Promise<ReadonlyMap<string, LastReports>> => {
  const ids = listed.map(({ project }) => project.id);
  const [reported, recorded, measured] = await Promise.all([
    deployments.lastReported(ids),
    testRuns.lastRecorded(ids),
    axisReports.lastRecorded(ids),
  ]);
  return new Map(
    ids.map((id, index) => {
      const [deployment = null, testRun = null, axisReport = null] = [
        reported[index],
        recorded[index],
        measured[index],
      ];
      return [id, { deployment, testRun, axisReport }];
    }),
  );
};

type OverviewProject = TeamOverview['projects'][number];

/** A project with all that filters and orders look at. */
interface Candidate {
  readonly team: Team;
  readonly project: OverviewProject;
  readonly active: {
    readonly release: { readonly id: string; readonly name: string };
    readonly standing: Standing;
  } | null;
  readonly decision: ProjectDecision;
  readonly reports: LastReports;
}

const candidateOf = (
  team: Team,
  project: OverviewProject,
  standings: ReadonlyMap<string, KnownStanding>,
  reports: ReadonlyMap<string, LastReports>,
): Candidate => {
  const release = project.activeRelease;
  const standing = release === null ? undefined : standings.get(release.id);
  const active = release === null || standing === undefined ? null : { release, standing };
  return {
    team,
    project,
    active,
    decision: active?.standing.decision ?? 'none',
    reports: reports.get(project.id) ?? NEVER,
  };
};

/** Whether text and source of the filter let a project through. */
const meantBy = ({ text, silent }: PortfolioFilter): ((candidate: Candidate) => boolean) => {
  const holds = holdsWords(searchTextOf(text));
  return ({ team, project, active }) => {
    if (!holds(`${project.name} ${team.name}`)) return false;
    return (
      silent === null || (active?.standing.silentSources ?? []).some((each) => silent === 'any' || each === silent)
    );
  };
};

const countsOf = (candidates: readonly Candidate[]): PortfolioReading['counts'] => {
  const counts = { go: 0, hold: 0, unknown: 0, none: 0 };
  for (const { decision } of candidates) counts[decision] += 1;
  return counts;
};

const teamsOf = (candidates: readonly Candidate[]): PortfolioReading['teams'] => {
  const counts = new Map<string, { readonly team: Team; projects: number }>();
  for (const { team } of candidates) {
    const known = counts.get(team.id);
    if (known === undefined) counts.set(team.id, { team, projects: 1 });
    else known.projects += 1;
  }
  const key = ({ team }: { readonly team: Team }): PageKey => [nameKey(team.name), team.id];
  return [...counts.values()]
    .sort((a, b) => compareKeys(key(a), key(b), false))
    .map(({ team: { id, name }, projects }) => ({ team: { id, name }, projects }));
};

const rowOf = (
  { team, project, active, reports: known }: Candidate,
  trends: ReadonlyMap<string, readonly TrendPoint[]>,
  reports: ReadonlyMap<string, LastReports>,
): PortfolioRow => {
  const { deployment, testRun, axisReport } = reports.get(project.id) ?? known;
  return {
    team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
    project: { id: project.id, name: project.name, slug: project.slug },
    active: active === null ? null : { ...active, trend: trends.get(active.release.id) ?? [] },
    lastDeploymentAt: deployment,
    lastTestRunAt: testRun,
    lastAxisReportAt: axisReport,
  };
};

/** How many characters of a name a sort order compares, so that a cursor stays short. */
const COMPARED = 60;

const nameKey = (name: string): string => [...name.toLowerCase()].slice(0, COMPARED).join('');

/** The index of the rank in a sort key: the only value that a descending order reverses. */
const RANK = 2;

const DECISION_RANKS: Readonly<Record<GateDecision, number>> = { hold: 0, unknown: 1, go: 2 };

/** What a project is ordered by; null: it has no such value. */
const rankOf = ({ team, project, active, reports }: Candidate, by: PortfolioOrder['by']): string | number | null => {
  if (by === 'team') return nameKey(team.name);
  if (by === 'project') return nameKey(project.name);
  if (by === 'reported') {
    const { deployment, testRun, axisReport } = reports;
    return Math.max(deployment ?? 0, testRun ?? 0, axisReport ?? 0);
  }
  if (active === null) return null;
  return by === 'decision' ? DECISION_RANKS[active.standing.decision] : active.standing.score;
};

/** The sort key of a project: group, whether it has no rank, rank, names, id. No two projects have the same key. */
const keyOf = (candidate: Candidate, { by, grouped }: PortfolioOrder): PageKey => {
  const { team, project } = candidate;
  const rank = rankOf(candidate, by);
  return [
    grouped ? `${nameKey(team.name)} ${team.id}` : '',
    rank === null ? 1 : 0,
    rank ?? 0,
    nameKey(team.name),
    nameKey(project.name),
    project.id,
  ];
};

const compareKeys = (a: PageKey, b: PageKey, descending: boolean): number => {
  for (const [place, one] of a.entries()) {
    const other = b[place];
    if (other === undefined || one === other) continue;
    return (one < other ? -1 : 1) * (descending && place === RANK ? -1 : 1);
  }
  return 0;
};

const pageOf = (
  candidates: readonly Candidate[],
  asked: PortfolioOrder | null,
  page: PageRequest | null,
): { readonly shown: readonly Candidate[]; readonly next: PageKey | null } => {
  if (asked === null && page === null) return { shown: candidates, next: null };
  const order = asked ?? BY_NAMES;
  const sorted = candidates
    .map((candidate) => ({ candidate, key: keyOf(candidate, order) }))
    .sort((a, b) => compareKeys(a.key, b.key, order.descending));
  const after = page?.after ?? null;
  const rest = after === null ? sorted : sorted.filter(({ key }) => compareKeys(key, after, order.descending) > 0);
  const cut = page === null ? rest : rest.slice(0, page.limit);
  const last = cut.at(-1);
  return {
    shown: cut.map(({ candidate }) => candidate),
    next: cut.length < rest.length && last !== undefined ? last.key : null,
  };
};
