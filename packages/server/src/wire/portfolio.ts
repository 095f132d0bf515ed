import type { PortfolioEntry } from '@shipworthy/client/contract';
import type { PortfolioRow } from '@shipworthy/domain';
import { wireReason } from './gate.js';
import { wireMoment } from './moment.js';

const readinessOf = ({ release, report, trend }: NonNullable<PortfolioRow['active']>) => {
  const reason = report.gate.reasons.find(({ waived }) => !waived);
  return {
    release: { id: release.id, name: release.name },
    as_of: wireMoment(report.asOf),
    score: report.score,
    coverage: report.coverage,
    decision: report.gate.decision,
    reason: reason === undefined ? null : wireReason(reason),
    trend: trend.map(({ at, score }) => ({ at: wireMoment(at), score })),
  };
};

/** One project of the portfolio. */
export const wirePortfolioEntry = ({
  team,
  project,
  active,
  lastDeployment,
  lastTestRun,
}: PortfolioRow): PortfolioEntry => ({
  team: { id: team.id, name: team.name, slug: team.slug, demo: team.demo },
  project: { id: project.id, name: project.name, slug: project.slug },
  readiness: active === null ? null : readinessOf(active),
  last_deployment_at: lastDeployment === null ? null : wireMoment(lastDeployment.createdAt),
  last_test_run_at: lastTestRun === null ? null : wireMoment(lastTestRun.recordedAt),
});
