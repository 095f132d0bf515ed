import type { Schema } from '@shipworthy/client/contract';
import { dataOf, FLAG, listOf, NUMBER, orNull, requireUsed, TEXT, uses } from '../schema/used-members.js';
import { GATE, REPORT, WHAT_IF } from '../verdict/used-report.js';

const page = (row: Schema): Schema => uses({ data: listOf(row), next_cursor: orNull(TEXT) });
const counted = { counts: FLAG, reason: TEXT } as const;

const DEPLOYMENT = { commit_sha: TEXT, environment: TEXT, status: TEXT, started_at: TEXT } as const;
const TEST_RUN = { suite: orNull(TEXT), total: NUMBER, passed: NUMBER, failed: NUMBER, ran_at: TEXT } as const;
const reading = uses({ state: TEXT, score: orNull(NUMBER) });
const standing = uses({ decision: TEXT, score: orNull(NUMBER) });
const reasons = listOf(uses({ message: TEXT }));

/** What tools say of each answer, by operation. */
const ANSWERS = {
  readGate: dataOf(uses({ ...GATE.properties, as_of: TEXT, frozen_at: TEXT }, 'frozen_at')),
  readReadiness: dataOf(REPORT),
  askWhatIf: dataOf(WHAT_IF),
  listHistory: page(
    uses({
      ...{ at: TEXT, score: orNull(NUMBER), coverage: NUMBER, decision: TEXT },
      ...{ cause_count: NUMBER, causes: listOf(uses({ kind: TEXT })) },
    }),
  ),
  readDifference: uses({
    ...{ from: standing, to: standing, record_count: NUMBER, next_cursor: orNull(TEXT) },
    axes: listOf(uses({ axis: TEXT, before: reading, after: reading })),
    reasons: uses({ gone: reasons, come: reasons }),
    data: listOf(uses({ kind: TEXT, id: TEXT, at: TEXT, title: orNull(TEXT), what: listOf(TEXT) }, 'title')),
  }),
  listReleases: page(uses({ name: TEXT, state: TEXT, starts_at: orNull(TEXT), shipped_at: orNull(TEXT) })),
  'listNotCounted of deployments': page(uses({ deployment: uses(DEPLOYMENT), reason: TEXT })),
  'listNotCounted of test runs': page(uses({ test_run: uses(TEST_RUN), reason: TEXT })),
  recordTestRun: dataOf(uses({ id: TEXT, passed: NUMBER, total: NUMBER })),
  recordDeployment: dataOf(uses({ id: TEXT, status: TEXT, environment: TEXT })),
  finishDeployment: dataOf(uses({ app_name: TEXT, status: TEXT, environment: TEXT })),
} as const satisfies Readonly<Record<string, Schema>>;

/** The rows under each axis that this version knows. */
const ROWS: Readonly<Record<string, Schema>> = {
  scope: uses({ ...counted, title: TEXT, type: TEXT, state: TEXT, severity: orNull(TEXT) }, 'reason'),
  quality: uses({ ...counted, title: TEXT, type: TEXT, state: TEXT, severity: orNull(TEXT) }, 'reason'),
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
