import type { AxisRow, HistoryPoint, NextStep, ReadinessReport, Reason } from '@shipworthy/client';
import type { Schema } from '@shipworthy/client/contract';
import { harmless } from '../output/safe-text.js';
import { dataEnvelope, FLAG, listOf, NUMBER, nullable, requireUsed, TEXT, uses } from '../schema.js';
import { shownScore, unmeasuredWord } from '../verdict/show-score.js';
import { GATE, REPORT, WHAT_IF } from '../verdict/used-report.js';

/** Lines under a heading; nothing when there are none. */
export const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `- ${harmless(line)}`)];

/** A list in one text, or what to say when it is empty. */
export const listing = (heading: string, lines: readonly string[], otherwise: string): string =>
  lines.length === 0 ? otherwise : section(heading, lines).join('\n');

/** A score as everywhere on screens. */
export const scoreWords = (score: number | null): string => (score === null ? 'not measured' : shownScore(score));

const PERCENT = 100;

/** How much of the weight is measured, in percent. */
export const shownCoverage = (coverage: number): string => `${Math.floor(coverage * PERCENT)} % measured`;

/** Why the gate says what it says, and what would change it. */
export const whyLines = (reasons: readonly Reason[], steps: readonly NextStep[]): readonly string[] => [
  ...section(
    'What holds it:',
    reasons.map(({ message, waived }) => (waived ? `${message} (waived)` : message)),
  ),
  ...section(
    'The least that clears it:',
    steps.map(({ message }) => message),
  ),
];

/** One line per axis. */
export const axisLines = (axes: ReadinessReport['axes']): readonly string[] =>
  axes.map((reading) =>
    reading.state === 'measured'
      ? `${reading.axis}: ${scoreWords(reading.score)}. ${reading.explanation}`
      : `${reading.axis}: not measured (${unmeasuredWord(reading)}). ${reading.explanation}`,
  );

const described = (row: AxisRow): string => {
  if ('environment' in row) return `${row.commit_sha} to ${row.environment}: ${row.status}, started ${row.started_at}`;
  if ('passed' in row)
    return `${row.suite ?? 'no suite'}: ${row.passed} of ${row.total} passed, ${row.failed} failed, ran ${row.ran_at}`;
  if ('evidence' in row) return `${row.title}: ${row.state}`;
  return `${row.type} "${row.title}": ${row.state}${row.severity === null ? '' : ` (${row.severity})`}`;
};

/** A record in one line, with whether it counts. */
export const rowLine = (row: AxisRow): string =>
  row.counts ? described(row) : `${described(row)}; does not count${row.reason ? ` (${row.reason})` : ''}`;

/** A point of the trend in one line. */
export const pointLine = ({ at, score, coverage, decision, cause_count, causes }: HistoryPoint): string => {
  const [first] = causes;
  const cause =
    first === undefined ? '' : `, after ${first.kind}${cause_count > 1 ? ` and ${cause_count - 1} more` : ''}`;
  return `${at}: ${decision}, score ${scoreWords(score)}, ${shownCoverage(coverage)}${cause}`;
};

const page = (row: Schema): Schema => uses({ data: listOf(row), next_cursor: nullable(TEXT) });
const counted = { counts: FLAG, reason: TEXT } as const;

const DEPLOYMENT = { commit_sha: TEXT, environment: TEXT, status: TEXT, started_at: TEXT } as const;
const TEST_RUN = { suite: nullable(TEXT), total: NUMBER, passed: NUMBER, failed: NUMBER, ran_at: TEXT } as const;
const reading = uses({ state: TEXT, score: nullable(NUMBER) });
const standing = uses({ decision: TEXT, score: nullable(NUMBER) });
const reasons = listOf(uses({ message: TEXT }));

/** What tools say of each answer, by operation. */
const ANSWERS = {
  readGate: dataEnvelope(uses({ ...GATE.properties, as_of: TEXT, frozen_at: TEXT }, 'frozen_at')),
  readReadiness: dataEnvelope(REPORT),
  askWhatIf: dataEnvelope(WHAT_IF),
  listHistory: page(
    uses({
      ...{ at: TEXT, score: nullable(NUMBER), coverage: NUMBER, decision: TEXT },
      ...{ cause_count: NUMBER, causes: listOf(uses({ kind: TEXT })) },
    }),
  ),
  readDifference: uses({
    ...{ from: standing, to: standing, record_count: NUMBER, next_cursor: nullable(TEXT) },
    axes: listOf(uses({ axis: TEXT, before: reading, after: reading })),
    reasons: uses({ gone: reasons, come: reasons }),
    data: listOf(uses({ kind: TEXT, id: TEXT, at: TEXT, title: nullable(TEXT), what: listOf(TEXT) }, 'title')),
  }),
  listReleases: page(uses({ name: TEXT, state: TEXT, starts_at: nullable(TEXT), shipped_at: nullable(TEXT) })),
  'listNotCounted of deployments': page(uses({ deployment: uses(DEPLOYMENT), reason: TEXT })),
  'listNotCounted of test runs': page(uses({ test_run: uses(TEST_RUN), reason: TEXT })),
  recordTestRun: dataEnvelope(uses({ id: TEXT, passed: NUMBER, total: NUMBER })),
  recordDeployment: dataEnvelope(uses({ id: TEXT, status: TEXT, environment: TEXT })),
  finishDeployment: dataEnvelope(uses({ app_name: TEXT, status: TEXT, environment: TEXT })),
} as const satisfies Readonly<Record<string, Schema>>;

/** The rows under each axis that this version knows. */
const ROWS: Readonly<Record<string, Schema>> = {
  scope: uses({ ...counted, title: TEXT, type: TEXT, state: TEXT, severity: nullable(TEXT) }, 'reason'),
  quality: uses({ ...counted, title: TEXT, type: TEXT, state: TEXT, severity: nullable(TEXT) }, 'reason'),
  ops: uses({ ...counted, title: TEXT, state: TEXT }, 'reason'),
  verification: uses({ ...counted, ...TEST_RUN }, 'reason'),
  stability: uses({ ...counted, ...DEPLOYMENT }, 'reason'),
};

/** Checks the answer and returns it. Failure (exit 5) naming each member that a tool says something of and that is amiss. */
export const checkedAnswer = <Body>(operation: keyof typeof ANSWERS, body: Body): Body => {
  requireUsed(operation, ANSWERS[operation], body);
  return body;
};

/** Checks a page of rows under an axis likewise, and returns it. */
export const checkedRows = <Body>(axis: string, body: Body): Body => {
  requireUsed('listAxisRows', page(ROWS[axis] ?? uses({})), body);
  return body;
};
