import { isClosed, type ReleaseInputs } from '@shipworthy/domain';
import type { ReleaseFactsStore } from '@shipworthy/domain/ports';
import {
  type CountingRules,
  type OpsFacts,
  ownAxesFacts,
  type Policy,
  type QualityFacts,
  type ReleaseCounts,
  type ReleaseFacts,
  sourceFacts,
  summedTests,
  type VerificationFacts,
  type Waiver,
} from '@shipworthy/domain/readiness';
import { asJson, type Dialect, type Value } from './dialect.js';
import { activeRevisions, factsSql, revisions, type WindowRow, withRecords } from './facts-sql.js';
import { type ReleaseRow, releaseOf } from './releases.js';
import type { Access } from './sql.js';

type Counts = readonly [number, number, number];
type WaiverCells = readonly [string, Waiver['code'], Waiver['axis'], string, number | null, string, number, number];
type MarkCells = readonly [string, string | null, string | null, number | null, string | null, number | null];
type RemovalCells = readonly [string, string, number];
type OwnCells = readonly [string, number, number | null, string | null, string | null, number];
type RunCells = readonly [number, number, number, number, string, number, string | null, string | null];

/** The row of a release that the statement of `factsSql` returns; groups of values are JSON. */
interface FactsRow extends ReleaseRow, WindowRow {
  readonly team_id: string;
  readonly project_name: string;
  readonly policy: string;
  readonly policy_version: number;
  readonly policy_changed_at: number;
  readonly policy_changed_by: string | null;
  readonly revision: number;
  readonly changed_at: number;
  readonly days: string;
  readonly hours_before: string;
  readonly hours_after: string;
  readonly rows_before: string;
  readonly rows_after: string;
  readonly issues: string;
  readonly items: string;
  readonly open_items: string | null;
  readonly marked_items: string | null;
  readonly removed_items: string | null;
  readonly runs: string;
  readonly worse_suite: string | null;
  /** The suite whose latest run is set aside; '' for runs without a suite name, null: none is. */
  readonly set_aside: string | null;
  readonly own_reports: string | null;
  readonly waivers: string | null;
  readonly last_deployments: string | null;
  readonly last_test_runs: string | null;
  readonly issues_as_of: number | null;
  /** Ids of the project's pending releases, as JSON; null without a link and for a closed release. */
  readonly pending: string | null;
}

const cellsOf = <Cells>(cells: string | null): readonly Cells[] => (cells === null ? [] : JSON.parse(cells));

const opsOf = (row: FactsRow, { done, total }: Pick<OpsFacts, 'done' | 'total'>): OpsFacts => {
  const notApplicable = cellsOf<MarkCells>(row.marked_items).map(
    ([title, reason, markedBy, markedAt, confirmedBy, confirmedAt]) => ({
      title,
      reason,
      markedBy,
      markedAt,
      confirmedBy,
      confirmed: confirmedAt !== null,
    }),
  );
  const removals = cellsOf<RemovalCells>(row.removed_items);
  const removed = removals.map(([title, removedBy, removedAt]) => ({ title, removedBy, removedAt }));
  return {
    done,
    total,
    openItems: cellsOf<string>(row.open_items),
    ...(notApplicable.length === 0 ? {} : { notApplicable }),
    ...(removed.length === 0 ? {} : { removed }),
  };
};

/** A stored suite name as the domain has it: '' means the runs without one. */
const keptSuite = (kept: string): string | null => (kept === '' ? null : kept);

const worseSuiteOf = (cells: string | null): Pick<VerificationFacts, 'worseSuite'> => {
  if (cells === null) return {};
  const [suite, passed, total] = JSON.parse(cells) as [string, number, number];
  return { worseSuite: { suite: keptSuite(suite), passed, total } };
};

const verificationOf = ({ runs: cells, worse_suite }: FactsRow): VerificationFacts | null => {
  const [passed, total, ranAt, runs, suite, withCommit, firstCommit, lastCommit] = JSON.parse(cells) as RunCells;
  if (runs === 0) return null;
  const oneCommit = withCommit === runs && firstCommit === lastCommit;
  return {
    ...summedTests(passed, total),
    ranAt,
    runs,
    suite: runs === 1 ? keptSuite(suite) : null,
    commitSha: oneCommit ? firstCommit : null,
    ...worseSuiteOf(worse_suite),
  };
};

const testsOf = (row: FactsRow): Pick<ReleaseFacts, 'verification' | 'testRunSetAside'> =>
  row.set_aside === null
    ? { verification: verificationOf(row) }
    : { verification: null, testRunSetAside: { suite: keptSuite(row.set_aside) } };

const qualityOf = (cells: readonly number[]): QualityFacts => {
  const [resolved = 0, total = 0, critical = 0, major = 0, minor = 0, unspecified = 0] = cells;
  return { resolved, total, open: { critical, major, minor, unspecified } };
};

const momentsOf = (cells: string | null): readonly number[] => (cells === null ? [] : JSON.parse(cells));

const sourcesOf = (row: FactsRow): Pick<ReleaseFacts, 'sources'> => {
  if (isClosed(row)) return {};
  const deployments = sourceFacts(momentsOf(row.last_deployments));
  return { sources: { deployments, testRuns: sourceFacts(momentsOf(row.last_test_runs)) } };
};

const ownAxesOf = (row: FactsRow, rules: CountingRules, counts: ReleaseCounts): Pick<ReleaseFacts, 'ownAxes'> => {
  const reports = cellsOf<OwnCells>(row.own_reports).map(([axis, part, whole, explanation, url, measuredAt]) => {
    return [axis, { part, whole, explanation, url, measuredAt }] as const;
  });
  return ownAxesFacts(rules, Object.fromEntries(reports), counts, row.changed_at);
};

const factsOf = (row: FactsRow, rules: CountingRules): ReleaseFacts => {
  const parts = [row.days, row.hours_before, row.hours_after, row.rows_before, row.rows_after];
  const [succeeded, failed, inProgress] = parts
    .map((part) => JSON.parse(part) as Counts)
    .reduce((sum, part) => [sum[0] + part[0], sum[1] + part[1], sum[2] + part[2]]) as Counts;
  const [done = 0, total = 0, ...bugs] = JSON.parse(row.issues) as readonly number[];
  const [doneItems = 0, items = 0, itemsWithEvidence = 0] = JSON.parse(row.items) as readonly number[];
  const quality = qualityOf(bugs);
  const ops = opsOf(row, { done: doneItems, total: items });
  return {
    scope: { done, total },
    quality,
    ops,
    ...testsOf(row),
    stability: { succeeded, failed, inProgress },
    issuesAsOf: row.issues_as_of,
    issuesPending: row.pending !== null && (JSON.parse(row.pending) as readonly string[]).includes(row.id),
    ...sourcesOf(row),
    ...ownAxesOf(row, rules, { quality, ops, itemsWithEvidence }),
  };
};

const waiversOf = (releaseId: string, cells: string | null): readonly Waiver[] =>
  cells === null
    ? []
    : (JSON.parse(cells) as readonly WaiverCells[]).map(
        ([id, code, axis, text, actual, createdBy, createdAt, expiresAt]) => ({
          id,
          releaseId,
          code,
          axis,
          text,
          actual,
          createdBy,
          createdAt,
          expiresAt,
          withdrawnAt: null,
          withdrawnBy: null,
        }),
      );

const inputsOf = (row: FactsRow): ReleaseInputs => {
  const policy = JSON.parse(row.policy) as Policy;
  return {
    release: releaseOf(row),
    project: { id: row.project_id, teamId: row.team_id, name: row.project_name },
    facts: factsOf(row, policy),
    policy: {
      policy,
      version: row.policy_version,
      changedAt: row.policy_changed_at,
      changedBy: row.policy_changed_by,
    },
    waivers: waiversOf(row.id, row.waivers),
    revision: { revision: row.revision, changedAt: row.changed_at },
  };
};

/** The statements for facts in a dialect: under the policies of the projects (`sql`), or under given rules. */
interface FactsStatements {
  readonly asked: ReturnType<Dialect['rowset']>;
  readonly sql: string;
  readonly sqlUnder: string;
}

const written = new Map<Dialect, FactsStatements>();

const statementsOf = (dialect: Dialect): FactsStatements => {
  const known = written.get(dialect);
  if (known !== undefined) return known;
  const asked = dialect.rowset('v', { place: 'integer', id: 'id' });
  const given = `(select cast(? as ${dialect.types.json}) as environments, cast(? as text) as verification) u`;
  const made = { asked, sql: factsSql(dialect, asked.table), sqlUnder: factsSql(dialect, asked.table, given) };
  written.set(dialect, made);
  return made;
};

export const releaseFactsStore = (access: Access): ReleaseFactsStore => {
  const rowsOf = async (
    text: 'sql' | 'sqlUnder',
    name: string,
    releaseIds: readonly string[],
    more: readonly Value[],
  ) => {
    if (releaseIds.length === 0) return [];
    const { asked, ...texts } = statementsOf(access.dialect);
    const ids = asked.bindings(releaseIds.map((id, place) => [place, id]));
    const known = await access.read<FactsRow>(texts[text], [...ids, ...more], name);
    const rows = access.dialect.cluster === null ? known : await withRecords(access, known);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return releaseIds.map((_, place) => byPlace.get(place));
  };
  return {
    factsFor: async (releaseIds) =>
      (await rowsOf('sql', 'release-facts', releaseIds, [])).map((row) => row && inputsOf(row)),
    factsUnder: async (releaseIds, rules) => {
      const { environments, verification } = rules;
      const bound = [environments === null ? null : asJson(environments), verification];
      const rows = await rowsOf('sqlUnder', 'release-facts-under', releaseIds, bound);
      return rows.map((row) => row && factsOf(row, rules));
    },
    revisions: (releaseIds) => revisions(access, releaseIds),
    activeRevisions: (projectIds) => activeRevisions(access, projectIds),
  };
};
