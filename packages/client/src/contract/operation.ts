import { PROBLEMS, type ProblemType } from './problem.js';
import type { FromSchema, Schema } from './schema.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Scope = 'read' | 'deployments:write' | 'test-runs:write' | 'axes:write';
export type Role = 'viewer' | 'member' | 'owner';

/**
 * Who may call. `open`: anybody. `key`: an API key of that scope (null: any key), or a session. `session`: a browser
 * session only. `signature`: a caller that signs the body; the route checks the signature.
 * `role` is the lowest role in the team of the call. It is checked once the team is known (from path, record or body).
 */
export type Auth =
  | { readonly kind: 'open' }
  | { readonly kind: 'signature' }
  | { readonly kind: 'key'; readonly scope: Scope | null; readonly role?: Role }
  | { readonly kind: 'session'; readonly role?: Role; readonly administrator?: true };

/** One line of the interface, the single source for routes, validation, authorisation, OpenAPI, the client and its types. */
export interface Operation {
  readonly method: Method;
  /** The path with its `{parameters}`; each is a UUID unless `parameters` says otherwise. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** Schemas of path parameters that are not UUIDs. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  /** An object schema; values arrive as text and are read by their property's type. */
  readonly query?: Schema;
  /** Answers pages only where `limit` is sent, and otherwise everything at once. */
  readonly pagedByLimit?: true;
  readonly body?: Schema;
  /**
   * `optional`: may be left out. `batch`: `body` is an array's schema, sent as JSON array or NDJSON, its items
   * validated one by one. `raw`: JSON whose bytes the route gets as they came, neither parsed nor validated. `foreign`:
   * JSON in a foreign format, which the route gets parsed and validates itself.
   */
  readonly bodyMode?: 'optional' | 'batch' | 'raw' | 'foreign';
  /** Content types that it accepts beside `application/json`; all of them are JSON. */
  readonly bodyTypes?: readonly string[];
  /** Largest body in bytes; 65,536 unless given. */
  readonly bodyLimit?: number;
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /** A repetition gives the same answer without a key, so a client may repeat it whether or not it was done. */
  readonly repeatable?: true;
  /** `If-Match` with the version: optional or required. */
  readonly ifMatch?: 'optional' | 'required';
  /** Answers a strong ETag and honours `If-None-Match`. */
  readonly etag?: true;
  /** Its answer is a stream of server-sent events, which goes on until either side ends it. */
  readonly stream?: true;
  /** The one successful answer; `body: null` means no body (204). An `attachment` is a file, which the answer names. */
  readonly success: {
    readonly status: 200 | 201 | 204;
    /** Answered with the same body instead of `status` when the request is valid but this service has no use for it. */
    readonly otherwise?: 202;
    readonly body: Schema | null;
    readonly contentType?: string;
    readonly attachment?: true;
  };
  /** `Location` of what was created: the path's own parameters, and `{id}` for `data.id`. */
  readonly location?: string;
  /** Its answer sets the session cookie. */
  readonly startsSession?: true;
  /** Its answer removes the session cookie. */
  readonly endsSession?: true;
  /** So costly that for one person at most two run at once, and eight more wait. */
  readonly costly?: true;
  /**
   * A replica may answer it: it only reads, and costs more than asking the primary whether the replica is new enough.
   * Reading a current verdict is not marked so: an unchanged one costs less than that question.
   */
  readonly fromReplica?: true;
  /** Stores its idempotency key itself, in the transaction that stores its report together with other reports. */
  readonly keepsKey?: true;
  /** Not offered by a service that has no stores for this group. */
  readonly group?: OperationGroup;
  /** Not counted against the request limits. */
  readonly unlimited?: true;
  /** Problem types it may answer beyond those every operation of its kind may (see `problemsOf`). */
  readonly problems: readonly ProblemType[];
  /** Problem types this operation answers with another status than PROBLEMS says. */
  readonly problemStatus?: { readonly [Type in ProblemType]?: number };
}

/** A CSV file by RFC 4180, with a header. A text that looks like a spreadsheet formula has an apostrophe before it. */
export const CSV_FILE = {
  status: 200,
  body: { type: 'string' },
  contentType: 'text/csv; charset=utf-8',
  attachment: true,
} as const satisfies Operation['success'];

/** Returns the description of a list as CSV that has at most `most` rows. */
export const csvOfFirst = (most: string): string =>
  `The first ${most} that the filters let through, a line each; the name of the file says where there are more. By RFC 4180, with a header, as a file. A text that a spreadsheet would take for a formula has an apostrophe before it.`;

/** What lists as CSV that only the primary answers have in common, such as the members or API keys of a team. */
export const CSV_LIST_FROM_PRIMARY = {
  method: 'GET',
  description: csvOfFirst('20,000'),
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  costly: true,
  success: CSV_FILE,
  problems: [],
} as const;

/** What the lists of a project as CSV have in common; a replica may answer them. */
export const CSV_LIST = { ...CSV_LIST_FROM_PRIMARY, fromReplica: true } as const;

type ParametersIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersIn<Rest>
  : never;

/** Path parameters by name. */
export type PathOf<O extends Operation> = {
  readonly [Name in ParametersIn<O['path']>]: O extends { parameters: { readonly [N in Name]: infer S } }
    ? FromSchema<S>
    : string;
};
export type QueryOf<O extends Operation> = O extends { query: infer Q }
  ? FromSchema<Q>
  : Readonly<Record<never, never>>;
export type BodyOf<O extends Operation> = O extends { body: infer B }
  ? O extends { bodyMode: 'optional' }
    ? FromSchema<B> | undefined
    : FromSchema<B>
  : undefined;
/** What a successful answer holds; undefined where it has no body. */
export type ResponseOf<O extends Operation> = O['success']['body'] extends null
  ? undefined
  : FromSchema<O['success']['body']>;

/** The groups of operations, in the order of the documentation. */
export const TAGS = {
  session: 'Setting up, signing in and out, inviting people.',
  people: 'All accounts of the service, for its administrators.',
  teams: 'Teams, their members and their audit log.',
  projects: 'Projects, the policy of their ship gate, and the portfolio of all of them.',
  releases: 'What may ship: planned, active, shipped or canceled.',
  readiness: 'The readiness score of a release, the rows behind it, its history, the ship gate and its waivers.',
  checklist: 'The launch checklist of a release.',
  issues: 'Issues and bugs, which fill the axes scope and quality.',
  deployments: 'What the deploy pipeline reports; fills the axis stability.',
  'test-runs': 'What the tests report; fills the axis verification.',
  axes: "Reports of axes of a project's own.",
  repository: 'The repository a project is linked to, and what is imported from it.',
  webhooks: 'Where the events of a project are sent to: messages after Standard Webhooks.',
  settings: 'The connection to the repository host, and API keys.',
  service: 'The contract itself and the health of the service.',
} as const;

export type Tag = keyof typeof TAGS;

/** The groups of operations that a service offers only if its stores, which others may have written, support them. */
export const OPERATION_GROUPS = [
  'audit',
  'badges',
  'cdevents',
  'gate-changes',
  'history',
  'host',
  'invitations',
  'own-axes',
  'retention',
  'search',
  'webhooks',
] as const;

export type OperationGroup = (typeof OPERATION_GROUPS)[number];

const ofAuth = ({ auth, method }: Operation): readonly ProblemType[] => {
  if (auth.kind === 'signature') return ['wrong-signature'];
  const crossSite: readonly ProblemType[] = method === 'GET' ? [] : ['cross-site'];
  if (auth.kind === 'open') return crossSite;
  const role: readonly ProblemType[] = auth.role === undefined || auth.role === 'viewer' ? [] : ['forbidden'];
  if (auth.kind === 'session') return ['unauthenticated', 'session-only', ...crossSite, ...role];
  const scope: readonly ProblemType[] = auth.scope === null ? [] : ['missing-scope'];
  return ['unauthenticated', ...scope, ...crossSite, ...role];
};

const ofInput = (operation: Operation): readonly ProblemType[] => [
  ...(operation.path.includes('{') ? (['not-found'] as const) : []),
  ...(operation.body ? (['malformed-json', 'body-too-large', 'unsupported-media-type', 'body-consumed'] as const) : []),
  // An unknown query parameter is refused everywhere, so that a misspelt one does not go unnoticed.
  'invalid',
  ...(operation.idempotent ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
  ...(operation.ifMatch ? (['version-mismatch'] as const) : []),
  ...(operation.ifMatch === 'required' ? (['version-required'] as const) : []),
];

/** Every problem type the operation may answer: its own and those that follow from its kind; each once, by status. */
export const problemsOf = (operation: Operation): readonly ProblemType[] => {
  const limited: readonly ProblemType[] = operation.unlimited ? [] : ['too-many-requests'];
  const all = new Set<ProblemType>([
    ...operation.problems,
    ...ofAuth(operation),
    ...ofInput(operation),
    ...(operation.group === undefined ? [] : (['not-offered'] as const)),
    ...limited,
    'method-not-allowed',
    'internal',
    'unavailable',
  ]);
  return [...all].sort((a, b) => statusOf(operation, a) - statusOf(operation, b) || a.localeCompare(b));
};

/** The HTTP status with which the operation answers that problem. */
export const statusOf = (operation: Operation, type: ProblemType): number =>
  operation.problemStatus?.[type] ?? PROBLEMS[type].status;
