import type { Person } from '../subject/person.js';
import type { Project } from '../subject/project.js';
import { readinessPath } from '../subject/requests.js';
import { requireEqual } from './equal.js';

interface Entry {
  readonly project: { readonly id: string };
  readonly readiness: {
    readonly score: number | null;
    readonly decision: string;
    readonly trend: readonly unknown[];
  } | null;
  readonly last_deployment_at: string | null;
  readonly last_test_run_at: string | null;
}

interface Report {
  readonly score: number | null;
  readonly gate: { readonly decision: string };
}

/** The portfolio has every project once and says of each what its own report says. @throws Error */
export const requirePortfolio = async (person: Person, projects: readonly Project[]): Promise<void> => {
  const all = await person.get<readonly Entry[]>('/api/portfolio');
  const entries = new Map(all.map((entry) => [entry.project.id, entry]));
  requireEqual('Projects of the portfolio', all.length, projects.length);
  for (const project of projects) {
    const entry = entries.get(project.id);
    const report = await person.get<Report>(readinessPath(project));
    const said = `${entry?.readiness?.score} ${entry?.readiness?.decision}`;
    requireEqual(`Score and decision of ${project.name}`, said, `${report.score} ${report.gate.decision}`);
    if (entry?.last_deployment_at == null || entry.last_test_run_at == null)
      throw new Error(`The portfolio does not know when ${project.name} was reported of.`);
  }
};
