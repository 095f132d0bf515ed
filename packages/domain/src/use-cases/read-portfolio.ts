import { teamsInSight } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Ports } from '../ports.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import type { HistoryPoint } from '../release/history-store.js';
import { liveReport } from '../release/live-report.js';
import type { Team } from '../team/team.js';
import type { TestRun } from '../test-run/test-run.js';

/** How many points of the trend the portfolio shows. */
export const PORTFOLIO_POINTS = 20;

/** One project of the portfolio. */
export interface PortfolioRow {
  readonly team: Pick<Team, 'id' | 'name' | 'slug' | 'demo'>;
  readonly project: { readonly id: string; readonly name: string; readonly slug: string };
  /** The active release with its report (without next steps) and the last points of its trend, oldest first; null: none is active. */
  readonly active: {
    readonly release: { readonly id: string; readonly name: string };
    readonly report: ReadinessReport;
    readonly trend: readonly HistoryPoint[];
  } | null;
  /** The newest deployment and the latest test run of the project, of any release; null: none yet. */
  readonly lastDeployment: Deployment | null;
  readonly lastTestRun: TestRun | null;
}

/** Every project in sight, by team name and project name, in a constant number of queries. */
export const readPortfolio =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ principal }: { readonly principal: Principal }): Promise<readonly PortfolioRow[]> => {
    const overviews = await stores.teams.overview(teamsInSight(principal));
    const listed = overviews.flatMap(({ team, projects }) => projects.map((project) => ({ team, project })));
    const projectIds = listed.map(({ project }) => project.id);
    const releaseIds = listed.flatMap(({ project }) => project.activeRelease?.id ?? []);
    const [dossiers, trends, deployments, testRuns] = await Promise.all([
      stores.facts.factsFor(releaseIds),
      stores.history.last(releaseIds, PORTFOLIO_POINTS),
      stores.deployments.lastOf(projectIds),
      stores.testRuns.lastOf(projectIds),
    ]);
    const now = clock();
    const actives = new Map<string, PortfolioRow['active']>();
    for (const [index, dossier] of dossiers.entries())
      if (dossier !== undefined) {
        const { id, name } = dossier.release;
        actives.set(id, {
          release: { id, name },
          report: liveReport(dossier, now, { nextSteps: false }),
          trend: trends[index] ?? [],
        });
      }
    return listed.map(({ team, project: { id, name, slug, activeRelease } }, index) => ({
      team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
      project: { id, name, slug },
      active: (activeRelease && actives.get(activeRelease.id)) ?? null,
      lastDeployment: deployments[index] ?? null,
      lastTestRun: testRuns[index] ?? null,
    }));
  };
