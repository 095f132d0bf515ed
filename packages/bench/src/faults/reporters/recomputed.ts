import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '@shipworthy/domain/readiness';
import type { Query } from '../../read-back/query.js';
import type { Scene } from './scene.js';

/** What a report says, as far as it follows from counts. */
export interface ReportWords {
  readonly as_of: string;
  readonly score: number | null;
  readonly axes: readonly { readonly axis: string; readonly facts: Readonly<Record<string, unknown>> }[];
  readonly gate: { readonly decision: string };
}

const countBy = (rows: readonly Readonly<Record<string, unknown>>[], column: string, value: string): number =>
  rows.filter((row) => row[column] === value).reduce((sum, { rows: count }) => sum + Number(count), 0);

/** The facts of a release, counted anew in the rows themselves. */
const factsInRows = async (query: Query, { project }: Scene, asOf: number): Promise<ReleaseFacts> => {
  const deployments = await query(`
    select status, count(*) as rows from deployments where project_id = '${project.id}' group by status`);
  const issues = await query(`
    select type, state, count(*) as rows from issues
    where release_id = '${project.releaseId}' and state <> 'canceled' group by type, state`);
  const items = await query(`
    select state, count(*) as rows from checklist_items
    where release_id = '${project.releaseId}' and removed_at is null
      and (state <> 'not_applicable' or confirmed_at is null) group by state`);
  const [latest] = await query(`
    select passed, total from test_runs where release_id = '${project.releaseId}'
    order by ran_at desc, recorded_at desc, id desc limit 1`);
  const all = (rows: readonly Readonly<Record<string, unknown>>[]): number =>
    rows.reduce((sum, { rows: count }) => sum + Number(count), 0);
  const bugs = issues.filter(({ type }) => type === 'bug');
  const resolved = countBy(bugs, 'state', 'done');
  const open = all(bugs) - resolved;
  return {
    scope: { done: countBy(issues, 'state', 'done'), total: all(issues) },
    quality: { resolved, total: all(bugs), open: { critical: 0, major: 0, minor: 0, unspecified: open } },
    ops: { done: countBy(items, 'state', 'done'), total: all(items), openItems: [] },
    verification: latest
      ? {
          passed: Number(latest.passed),
          total: Number(latest.total),
          ranAt: asOf,
          suite: null,
          commitSha: null,
          runs: 1,
        }
      : null,
    stability: {
      succeeded: countBy(deployments, 'status', 'success'),
      failed: countBy(deployments, 'status', 'failure'),
      inProgress: countBy(deployments, 'status', 'started'),
    },
  };
};

/** Where the report differs from one computed from the rows; empty when it does not. */
export const differencesFromRows = async (
  query: Query,
  scene: Scene,
  report: ReportWords,
): Promise<readonly string[]> => {
  const asOf = Date.parse(report.as_of);
  const facts = await factsInRows(query, scene, asOf);
  const { score, gate } = assessRelease(facts, DEFAULT_POLICY, asOf);
  const of = (axis: string): Readonly<Record<string, unknown>> =>
    report.axes.find((reading) => reading.axis === axis)?.facts ?? {};
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['score', report.score, score],
    ['decision', report.gate.decision, gate.decision],
    ['issues done', of('scope').done, facts.scope.done],
    ['issues', of('scope').total, facts.scope.total],
    ['bugs resolved', of('quality').resolved, facts.quality.resolved],
    ['items done', of('ops').done, facts.ops.done],
    ['tests passed', of('verification').passed, facts.verification?.passed],
    ['deployments succeeded', of('stability').succeeded, facts.stability.succeeded],
    ['deployments failed', of('stability').failed, facts.stability.failed],
    ['deployments in progress', of('stability').in_progress, facts.stability.inProgress],
  ];
  return pairs
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what} ${String(found)} instead of ${String(wanted)}`);
};
