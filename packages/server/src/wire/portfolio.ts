import type { PortfolioEntry } from '@shipworthy/client/contract';
import type { PortfolioRow } from '@shipworthy/domain';
import { wireReason } from './gate.js';
import { wireMoment, wireMomentOrNull } from './moment.js';

const readinessOf = ({ release, standing, trend }: NonNullable<PortfolioRow['active']>) => ({
  release: { id: release.id, name: release.name },
  as_of: wireMoment(standing.asOf),
  score: standing.score,
  coverage: standing.coverage,
  decision: standing.decision,
  decision_without_waivers: standing.decisionWithoutWaivers,
  waivers: standing.waivers,
  reason: standing.reason === null ? null : wireReason(standing.reason),
  trend: trend.map(({ at, score }) => ({ at: wireMoment(at), score })),
});

/** One project of the portfolio. */
export const wirePortfolioEntry = ({
  team,
  project,
  active,
  lastDeploymentAt,
  lastTestRunAt,
}: PortfolioRow): PortfolioEntry => ({
  team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
  project: { id: project.id, name: project.name, slug: project.slug },
  readiness: active === null ? null : readinessOf(active),
  last_deployment_at: wireMomentOrNull(lastDeploymentAt),
  last_test_run_at: wireMomentOrNull(lastTestRunAt),
});
