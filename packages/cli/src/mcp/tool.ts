import type { AxisRow, Client, HistoryPoint, NextStep, ReadinessReport, Reason } from '@shipworthy/client';
import { type FromSchema, operations, type Schema } from '@shipworthy/client/contract';
import type { Connection } from '../connection.js';
import { harmless } from '../output/safe-text.js';
import { pathOf, type ReleaseRef, resolveProject, resolveRelease, type VisibleProject } from '../project.js';
import { dataEnvelope, FLAG, listOf, NUMBER, nullable, objectWith, requireUsed, TEXT } from '../schema.js';
import type { CommandSession } from '../session.js';
import { allReadings, GATE, REPORT, shownScore, unmeasuredWord, WHAT_IF } from '../verdict/show-score.js';

/** A tool's answer: text for readers, and the same as data of the API. */
interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** `reads` changes nothing, `records` stores one more record each time, `settles` has no further effect when repeated. */
export type ToolEffect = 'reads' | 'records' | 'settles';

/** One question an agent can ask, or one report it can make. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: Schema;
  /** `args` was checked by the schema `input`. */
  readonly run: (session: ToolSession, args: unknown) => Promise<ToolAnswer>;
}

interface ToolParts<S extends Schema> extends Omit<Tool, 'input' | 'run'> {
  readonly input: S;
  readonly run: (session: ToolSession, args: FromSchema<S>) => Promise<ToolAnswer>;
}

/** A tool whose arguments have the type its schema describes. */
export const tool = <const S extends Schema>(parts: ToolParts<S>): Tool => ({
  ...parts,
  // The arguments were checked by the schema.
  run: (session, args) => parts.run(session, args as FromSchema<S>),
});

/** The project and release a question is about, by default as in the command: the settings' project, its active release. */
interface WantedPlace {
  readonly app?: string | undefined;
  readonly release?: string | undefined;
}

/** A project, with what calls about it need. */
interface FoundProject {
  readonly client: Client;
  readonly address: string;
  readonly project: VisibleProject;
  readonly path: ReturnType<typeof pathOf>;
}

/** A release, with what calls about it need. */
interface FoundRelease extends Omit<FoundProject, 'path'> {
  readonly release: ReleaseRef;
  readonly path: ReturnType<typeof pathOf> & { readonly release_id: string };
}

/** What a tool uses during one call: the connected server, a project, a release. Fails as the commands do. */
interface ToolSession {
  readonly connect: () => Promise<Connection>;
  readonly project: (place: WantedPlace) => Promise<FoundProject>;
  readonly release: (place: WantedPlace) => Promise<FoundRelease>;
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
}

/** Opens the session of one call of a tool. */
export const openToolSession = (session: CommandSession, signal: AbortSignal): ToolSession => {
  const project: ToolSession['project'] = async ({ app }) => {
    const { client, address } = await session.connect();
    const settings = await session.settings();
    const named = app === undefined ? settings.app : { value: app, source: { kind: 'flag', name: 'app' } as const };
    const found = await resolveProject(client, { app: named });
    return { client, address, project: found, path: pathOf(found) };
  };
  return {
    connect: session.connect,
    project,
    release: async (place) => {
      const at = await project(place);
      const release = await resolveRelease(at.client, at.project, place.release);
      return { ...at, release, path: { ...at.path, release_id: release.id } };
    },
    signal,
  };
};

const { limit, cursor } = operations.listAxisRows.query.properties;

const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** Which project a question is about. */
export const APP = {
  app: {
    ...NAME,
    description: 'Name of the project; unless given, the one the settings name, else the only one in sight.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** Which project and release a question is about. */
export const PLACE_ARGUMENTS = {
  ...APP,
  release: {
    ...NAME,
    description: "Id or exact name of the release; unless given, the project's active one.",
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** One page of a list. */
export const PAGE = {
  limit: { ...limit, default: 20, description: 'Rows in the answer; 20 unless given.' },
  cursor: { ...cursor, description: 'The `next_cursor` of the answer before.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** The query of a page. */
export const pageQueryOf = ({
  limit: rows = 20,
  cursor: after,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) => ({ limit: rows, ...(after === undefined ? {} : { cursor: after }) });

/** Lines under a heading; nothing when there are none. */
export const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `- ${harmless(line)}`)];

/** A list in one text, or what to say when it is empty. */
export const listing = (heading: string, lines: readonly string[], otherwise: string): string =>
  lines.length === 0 ? otherwise : section(heading, lines).join('\n');

/** A score as screens show it; `not measured` for null. */
export const scoreWords = (score: number | null): string => (score === null ? 'not measured' : shownScore(score));

const HUNDRED_PERCENT = 100;

/** How much of the weight is measured, in percent. */
export const shownCoverage = (coverage: number): string => `${Math.floor(coverage * HUNDRED_PERCENT)} % measured`;

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
export const axisLines = (report: Pick<ReadinessReport, 'axes' | 'own_axes'>): readonly string[] =>
  allReadings(report).map((reading) =>
    reading.state === 'measured'
      ? `${reading.axis}: ${scoreWords(reading.score)}. ${reading.explanation}`
      : `${reading.axis}: not measured (${unmeasuredWord(reading)}). ${reading.explanation}`,
  );

const described = (row: AxisRow): string => {
  if ('environment' in row) return `${row.commit_sha} to ${row.environment}: ${row.status}, started ${row.started_at}`;
  if ('passed' in row)
    return `${row.suite ?? 'no suite'}: ${row.passed} of ${row.total} passed, ${row.failed} failed, ran ${row.ran_at}`;
  if ('whole' in row)
    return `${row.whole === null ? 'not measurable' : `${row.part} of ${row.whole}`}, measured ${row.measured_at}`;
  if ('evidence' in row) {
    const links = row.evidence.length;
    return `${row.title}: ${row.state}, ${links === 0 ? 'no evidence' : `evidence: ${links}`}`;
  }
  return `${row.type} "${row.title}": ${row.state}${row.severity === null ? '' : ` (${row.severity})`}`;
};

/** A record in one line, with whether it counts. */
export const rowLine = (row: AxisRow): string =>
  row.counts ? described(row) : `${described(row)}; does not count${row.reason ? ` (${row.reason})` : ''}`;

/** ` by NAME`: who made a change; empty where time alone did. */
export const authorWords = ({
  kind,
  by,
}: {
  readonly kind: string;
  readonly by?: { readonly name: string } | undefined;
}): string => (kind === 'time_limit' ? '' : ` by ${by === undefined ? 'unknown' : by.name}`);

/** A point of the trend in one line. */
export const pointLine = ({ at, score, coverage, decision, cause_count, causes }: HistoryPoint): string => {
  const [first] = causes;
  const cause =
    first === undefined
      ? ''
      : `, after ${first.kind}${authorWords(first)}${cause_count > 1 ? ` and ${cause_count - 1} more` : ''}`;
  return `${at}: ${decision}, score ${scoreWords(score)}, ${shownCoverage(coverage)}${cause}`;
};

const page = (row: Schema): Schema => objectWith({ data: listOf(row), next_cursor: nullable(TEXT) });
const counted = { counts: FLAG, reason: TEXT } as const;

const DEPLOYMENT = { commit_sha: TEXT, environment: TEXT, status: TEXT, started_at: TEXT } as const;
const TEST_RUN = { suite: nullable(TEXT), total: NUMBER, passed: NUMBER, failed: NUMBER, ran_at: TEXT } as const;
const AUTHOR = objectWith({ kind: TEXT, name: TEXT });
const reading = objectWith({ state: TEXT, score: nullable(NUMBER) });
const decisionAndScore = objectWith({ decision: TEXT, score: nullable(NUMBER) });
const reasons = listOf(objectWith({ message: TEXT }));

/** The members of each answer that tools show, by operation. */
const ANSWERS = {
  readGate: dataEnvelope(objectWith({ ...GATE.properties, as_of: TEXT, frozen_at: TEXT }, 'frozen_at')),
  readReadiness: dataEnvelope(REPORT),
  askWhatIf: dataEnvelope(WHAT_IF),
  listHistory: page(
    objectWith({
      ...{ at: TEXT, score: nullable(NUMBER), coverage: NUMBER, decision: TEXT },
      ...{ cause_count: NUMBER, causes: listOf(objectWith({ kind: TEXT, by: AUTHOR }, 'by')) },
    }),
  ),
  readDifference: objectWith({
    ...{ from: decisionAndScore, to: decisionAndScore, record_count: NUMBER, next_cursor: nullable(TEXT) },
    axes: listOf(objectWith({ axis: TEXT, before: reading, after: reading })),
    reasons: objectWith({ gone: reasons, come: reasons }),
    data: listOf(
      objectWith(
        { kind: TEXT, id: TEXT, at: TEXT, title: nullable(TEXT), what: listOf(TEXT), by: AUTHOR },
        'title',
        'by',
      ),
    ),
  }),
  listReleases: page(objectWith({ name: TEXT, state: TEXT, starts_at: nullable(TEXT), shipped_at: nullable(TEXT) })),
  'listNotCounted of deployments': page(objectWith({ deployment: objectWith(DEPLOYMENT), reason: TEXT })),
  'listNotCounted of test runs': page(objectWith({ test_run: objectWith(TEST_RUN), reason: TEXT })),
  recordTestRun: dataEnvelope(objectWith({ id: TEXT, passed: NUMBER, total: NUMBER })),
  recordDeployment: dataEnvelope(objectWith({ id: TEXT, status: TEXT, environment: TEXT })),
  finishDeployment: dataEnvelope(objectWith({ app_name: TEXT, status: TEXT, environment: TEXT })),
} as const satisfies Readonly<Record<string, Schema>>;

const ISSUE_ROW = objectWith({ ...counted, title: TEXT, type: TEXT, state: TEXT, severity: nullable(TEXT) }, 'reason');
const ITEM_ROW = objectWith({ ...counted, title: TEXT, state: TEXT, evidence: listOf(objectWith({})) }, 'reason');
const RUN_ROW = objectWith({ ...counted, ...TEST_RUN }, 'reason');
const DEPLOYMENT_ROW = objectWith({ ...counted, ...DEPLOYMENT }, 'reason');
const REPORT_ROW = objectWith({ ...counted, part: NUMBER, whole: nullable(NUMBER), measured_at: TEXT }, 'reason');

/** The rows under each of the five axes. */
const ROWS: Readonly<Record<string, Schema>> = {
  scope: ISSUE_ROW,
  quality: ISSUE_ROW,
  ops: ITEM_ROW,
  verification: RUN_ROW,
  stability: DEPLOYMENT_ROW,
};

/** The schema of rows under an own axis, which the first row tells: reports, or records the service counts for it. */
const ownRowOf = (body: unknown): Schema => {
  const { data } = { ...(body as { readonly data?: unknown }) };
  const [first]: readonly unknown[] = Array.isArray(data) ? data : [];
  if (typeof first !== 'object' || first === null || 'part' in first) return REPORT_ROW;
  if ('evidence' in first) return ITEM_ROW;
  if ('environment' in first) return DEPLOYMENT_ROW;
  return 'severity' in first ? ISSUE_ROW : 'passed' in first ? RUN_ROW : REPORT_ROW;
};

/** Checks the answer and returns it. Failure (exit 5) naming each shown member that is wrong or missing. */
export const checkedAnswer = <Body>(operation: keyof typeof ANSWERS, body: Body): Body => {
  requireUsed(operation, ANSWERS[operation], body);
  return body;
};

/** Checks a page of rows under an axis and returns it. Failure (exit 5) naming each member that is missing or wrong. */
export const checkedRows = <Body>(axis: string, body: Body): Body => {
  requireUsed('listAxisRows', page(ROWS[axis] ?? ownRowOf(body)), body);
  return body;
};
