import { type ConfiguredHost, DomainError, type HostReading, type RepositoryHost } from '@shipworthy/domain';
import type { Metrics } from './metrics.js';

/** The repository host with what is asked of it counted, and what it last said is left of somebody's budget. */
export const measuredHost = (host: ConfiguredHost, metrics: Metrics): ConfiguredHost => {
  const asked = metrics.counter('host_readings_total', 'Readings asked of the repository host.');
  const unchanged = metrics.counter('host_readings_unchanged_total', 'Of them those that nothing had changed for.');
  const unavailable = metrics.counter('host_unavailable_total', 'Of them those the host gave no answer to.');
  const refused = metrics.counter('host_rejected_total', 'Of them those whose grant the host refused.');
  let left = 1;
  metrics.add({
    name: 'host_budget_left_ratio',
    help: 'What the host still allows the connection read with last, of what it allows at all; 1 until it said so.',
    type: 'gauge',
    read: () => left,
  });

  const counted = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    asked();
    try {
      return await work;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'host-unavailable') unavailable();
      if (error instanceof DomainError && error.code === 'host-rejected') refused();
      throw error;
    }
  };
  const reading = async <Row>(work: Promise<HostReading<Row>>): Promise<HostReading<Row>> => {
    const answer = await counted(work);
    if (answer.unchanged) unchanged();
    if (answer.budget !== null && answer.budget.limit > 0) left = answer.budget.remaining / answer.budget.limit;
    return answer;
  };

  const { repositories: all } = host;
  const repositories: RepositoryHost = {
    account: (...given) => counted(all.account(...given)),
    mayWrite: (...given) => counted(all.mayWrite(...given)),
    repositories: (...given) => counted(all.repositories(...given)),
    repository: (...given) => counted(all.repository(...given)),
    milestones: (...given) => reading(all.milestones(...given)),
    issues: (...given) => reading(all.issues(...given)),
    issuesById: (...given) => counted(all.issuesById(...given)),
    deployments: (...given) => reading(all.deployments(...given)),
    deploymentsById: (...given) => counted(all.deploymentsById(...given)),
    testRuns: (...given) => reading(all.testRuns(...given)),
  };
  return { ...host, repositories };
};
