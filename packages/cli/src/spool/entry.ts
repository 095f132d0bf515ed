import type { AxisReportRequest, DeploymentFinish, DeploymentRequest, TestRunRequest } from '@shipworthy/client';

interface Made {
  /** Names the report: sent again it is stored once, because it also becomes the record's `external_id`. */
  readonly idempotencyKey: string;
  /** The server it was made for; it is sent to no other. */
  readonly address: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The machine whose clock said so; missing until it is kept, and where an older version kept it. */
  readonly machine?: string;
}

/** A deployment that began or ended. */
export interface DeploymentEntry extends Made {
  readonly operation: 'createDeployment';
  readonly path?: undefined;
  /** An empty `app_name` means the only project the key sees when it is sent. */
  readonly body: DeploymentRequest;
}

/** The end of a deployment the server knows. */
export interface FinishEntry extends Made {
  readonly operation: 'finishDeployment';
  readonly path: { readonly deployment_id: string };
  readonly body: DeploymentFinish;
  /** Whether the command measured the duration itself: a step that runs again measures a different one. */
  readonly measured?: boolean;
}

export interface TestRunEntry extends Made {
  readonly operation: 'recordTestRun';
  readonly path: { readonly team_id: string; readonly project_id: string };
  readonly body: TestRunRequest;
}

/** A test run whose project and release are found by name when it is sent. */
export interface NamedTestRunEntry extends Made {
  readonly operation: 'recordNamedTestRun';
  /** Names; empty for the only project the key sees, and for its active release. A release may also be given by its id. */
  readonly path: { readonly app: string; readonly release: string };
  readonly body: TestRunRequest;
}

/** A report of an own axis: project and release are found by name when it is sent. */
export interface NamedAxisReportEntry extends Made {
  readonly operation: 'recordNamedAxisReport';
  /** Names of project and release (empty: the only project the key sees, its active release), and of the axis. */
  readonly path: { readonly app: string; readonly release: string; readonly axis: string };
  readonly body: AxisReportRequest;
}

/** A report as it is sent, or kept until it can be. Never holds a key. */
export type SpoolEntry = DeploymentEntry | FinishEntry | TestRunEntry | NamedTestRunEntry | NamedAxisReportEntry;

/** The path parameters of each operation. */
const PATHS: Readonly<Record<SpoolEntry['operation'], readonly string[]>> = {
  createDeployment: [],
  finishDeployment: ['deployment_id'],
  recordTestRun: ['team_id', 'project_id'],
  recordNamedTestRun: ['app', 'release'],
  recordNamedAxisReport: ['app', 'release', 'axis'],
};

const VERSION = 1;

/** The entry as the text of a file. */
export const textOfEntry = (entry: SpoolEntry): string => {
  const { operation, path, body, idempotencyKey, address, madeAt, machine } = entry;
  return `${JSON.stringify({
    version: VERSION,
    operation,
    address,
    made_at: new Date(madeAt).toISOString(),
    ...(machine !== undefined && { machine }),
    idempotency_key: idempotencyKey,
    ...(path && { path }),
    body,
    ...(operation === 'finishDeployment' && entry.measured && { measured: true }),
  })}\n`;
};

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOperation = (value: unknown): value is SpoolEntry['operation'] =>
  typeof value === 'string' && Object.hasOwn(PATHS, value);

const membersIn = (text: string): Members | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMembers(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** The entry a file holds; undefined when it holds none. What the body holds is for the server to judge. */
export const entryOfText = (text: string): SpoolEntry | undefined => {
  const members = membersIn(text) ?? {};
  const { version, operation, address, made_at, machine, idempotency_key, path = {}, body, measured } = members;
  const madeAt = typeof made_at === 'string' ? Date.parse(made_at) : Number.NaN;
  if (version !== VERSION || !isOperation(operation) || !isMembers(path) || !isMembers(body)) return undefined;
  if (typeof address !== 'string' || typeof idempotency_key !== 'string' || Number.isNaN(madeAt)) return undefined;
  if (!PATHS[operation].every((name) => typeof path[name] === 'string')) return undefined;
  const placed = PATHS[operation].length === 0 ? {} : { path };
  const timed = { ...(measured === true && { measured }), ...(typeof machine === 'string' && { machine }) };
  const entry = { operation, ...placed, body, address, idempotencyKey: idempotency_key, madeAt, ...timed };
  return entry as unknown as SpoolEntry;
};

/** The entry in a few words, for people. */
export const titleOf = (entry: SpoolEntry): string => {
  switch (entry.operation) {
    case 'createDeployment':
      return `deployment of ${entry.body.app_name || 'the only project'} to ${entry.body.environment} (${entry.body.status})`;
    case 'finishDeployment':
      return `end of deployment ${entry.path.deployment_id} (${entry.body.status})`;
    case 'recordTestRun':
    case 'recordNamedTestRun':
      return `test run${entry.body.suite === undefined ? '' : ` ${entry.body.suite}`} (${entry.body.passed} of ${entry.body.total} passed)`;
    case 'recordNamedAxisReport':
      return `report of ${entry.path.axis} (${entry.body.whole === null ? 'not measured' : `${entry.body.part} of ${entry.body.whole}`})`;
  }
};
