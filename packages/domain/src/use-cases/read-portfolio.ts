import type { Principal } from '../access/principal.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { TrendPoint } from '../release/history-store.js';
import type { KeptStandings, Standing } from '../release/standing.js';
import type { Team } from '../team/team.js';
import { readStandings } from './read-standings.js';
import { readTeams } from './read-teams.js';
import { type KeptTrends, readTrends } from './read-trends.js';

/** How many points of the trend the portfolio shows. */
export const PORTFOLIO_POINTS = 20;

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
  /** When the newest deployment was reported and the latest test run recorded, of any release; null: none yet. */
  readonly lastDeploymentAt: Instant | null;
  readonly lastTestRunAt: Instant | null;
}

/** What was known of releases before. */
export interface KeptOfReleases {
  readonly standings: KeptStandings;
  readonly trends: KeptTrends;
}

/**
 * Every project in sight, by team name and project name, in a constant number of queries.
 * @param kept those that did not change since are not read again
 */
export const readPortfolio =
  (ports: Pick<Ports, 'stores' | 'clock' | 'slices'>, kept: KeptOfReleases) =>
  async ({ principal }: { readonly principal: Principal }): Promise<readonly PortfolioRow[]> => {
    const { stores } = ports;
    const overviews = await readTeams(stores, principal);
    const listed = overviews.flatMap(({ team, projects }) => projects.map((project) => ({ team, project })));
    const projectIds = listed.map(({ project }) => project.id);
    const releaseIds = listed.flatMap(({ project }) => project.activeRelease?.id ?? []);
    const [standings, trends, deployments, testRuns] = await Promise.all([
      readStandings(ports, kept.standings)(releaseIds),
      readTrends(ports, kept.trends, PORTFOLIO_POINTS)(releaseIds),
      stores.deployments.lastReported(projectIds),
      stores.testRuns.lastRecorded(projectIds),
    ]);
    const activeOf = (release: { readonly id: string; readonly name: string } | null): PortfolioRow['active'] => {
      const standing = release === null ? undefined : standings.get(release.id);
      return release === null || standing === undefined
        ? null
        : { release, standing, trend: trends.get(release.id) ?? [] };
    };
    return listed.map(({ team, project: { id, name, slug, activeRelease } }, index) => ({
      team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
      project: { id, name, slug },
      active: activeOf(activeRelease),
      lastDeploymentAt: deployments[index] ?? null,
      lastTestRunAt: testRuns[index] ?? null,
    }));
  };
