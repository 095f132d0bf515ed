import { Id } from './field.js';
import { type Auth, type Operation, problemsOf, statusOf, TAGS } from './operation.js';
import { operations } from './operations.js';
import { PROBLEMS, Problem, type ProblemType } from './problem.js';
import type { Schema } from './schema.js';

/**
 * The interface as an OpenAPI 3.1 document, for a service at `serverUrl` (a path in front of `/api` included) whose sessions
 * are kept in a cookie of the name `sessionCookie`. Built from a table of operations alone.
 */
export const openApiDocument = ({
  serverUrl,
  sessionCookie,
  version,
  table = operations,
}: {
  readonly serverUrl: string;
  readonly sessionCookie: string;
  readonly version: string;
  readonly table?: Readonly<Record<string, Operation>>;
}): Json => {
  const components = gatherComponents();
  const written = paths(table, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipworthy',
      version,
      description:
        'Tells, in one number and one decision, whether a release may ship. Pipelines report deployments and test runs; the readiness score and the ship gate follow. A record may be sent back by PUT or PATCH as GET answered it at the same address: members that the request does not list are ignored where they equal what is stored, and refused (422, `read-only`) where they differ.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: written,
    components: {
      ...components.all(),
      parameters: HEADER_PARAMETERS,
      headers: RESPONSE_HEADERS,
      securitySchemes: securitySchemes(sessionCookie),
    },
  };
};

const paths = (table: Readonly<Record<string, Operation>>, components: Components): Json => {
  const byPath = new Map<string, Record<string, Json>>();
  for (const [id, operation] of Object.entries(table)) {
    const item = byPath.get(operation.path) ?? {};
    item[operation.method.toLowerCase()] = operationObject(id, operation, components);
    byPath.set(operation.path, item);
  }
  return Object.fromEntries(byPath);
};

const securitySchemes = (sessionCookie: string) => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'swk_...',
    description: 'An API key, created under Settings, API Keys.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'A browser session, started by `POST /api/session`. The name of the cookie follows from the address of the service. Unsafe methods need an `Origin` of this site.',
  },
});

/** The object of one operation in the document. */
const operationObject = (operationId: string, operation: Operation, components: Components): Json => ({
  operationId,
  tags: [operation.tag],
  summary: operation.summary,
  description: [operation.description ?? `${operation.summary}.`, ...needs(operation)].join(' '),
  security: security(operation.auth),
  parameters: [
    ...pathParameters(operation, components),
    ...queryParameters(operation.query, components),
    ...headerParameters(operation),
  ],
  ...requestBody(operation, components),
  responses: { ...success(operation, components), ...problemResponses(operation, components) },
});

const security = (auth: Auth): readonly Json[] => {
  if (auth.kind === 'open' || auth.kind === 'signature') return [];
  const session = { session: [] };
  return auth.kind === 'session' ? [session] : [{ apiKey: auth.scope === null ? [] : [auth.scope] }, session];
};

const needs = ({ auth }: Operation): readonly string[] => [
  ...(auth.kind === 'key' && auth.scope !== null ? [`An API key needs the scope \`${auth.scope}\`.`] : []),
  ...(auth.kind === 'session' ? ['Only a browser session may do this.'] : []),
  ...(auth.kind === 'signature' ? ['The body must be signed with the secret of its sender.'] : []),
  ...('role' in auth && auth.role !== undefined ? [`Minimum role in the team: \`${auth.role}\`.`] : []),
];

const pathParameters = ({ path, parameters }: Operation, components: Components): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: components.schema(parameters?.[name] ?? Id),
  }));

const queryParameters = (query: Schema | undefined, components: Components): readonly Json[] =>
  Object.entries(query?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema: components.schema(schema),
  }));

const requestBody = ({ body, bodyMode, bodyTypes = [] }: Operation, components: Components): Json => {
  if (body === undefined) return {};
  const lines = { schema: { type: 'string', description: 'One JSON record per line.' } };
  return {
    requestBody: {
      required: bodyMode !== 'optional',
      content: {
        ...Object.fromEntries(
          ['application/json', ...bodyTypes].map((type) => [type, { schema: components.schema(body) }]),
        ),
        ...(bodyMode === 'batch' ? { 'application/x-ndjson': lines } : {}),
      },
    },
  };
};

const success = (operation: Operation, components: Components): Json => {
  const { status, otherwise, body, contentType = 'application/json' } = operation.success;
  const answer = {
    headers: successHeaders(operation),
    ...(body === null ? {} : { content: { [contentType]: { schema: components.schema(body) } } }),
  };
  return {
    [status]: { description: status === 204 ? 'Done.' : status === 201 ? 'Created.' : 'As asked.', ...answer },
    ...(otherwise === undefined ? {} : { [otherwise]: { description: 'Accepted and ignored.', ...answer } }),
    ...(operation.etag
      ? { 304: { description: 'Unchanged since the given `ETag`.', headers: successHeaders(operation) } }
      : {}),
  };
};

/** The problem answers of an operation by status, with an example of each problem. */
const problemResponses = (operation: Operation, components: Components): Json => {
  const all = problemsOf(operation);
  const statuses = [...new Set(all.map((type) => statusOf(operation, type)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const types = all.filter((type) => statusOf(operation, type) === status);
      const name = [status, ...types, ...(operation.unlimited ? ['unlimited'] : [])].join('.');
      return [String(status), components.response(name, response(operation, status, types, components))];
    }),
  );
};

const example = (type: ProblemType, status: number): Json => ({
  summary: PROBLEMS[type].title,
  value: {
    type: `/api/docs/problems/${type}`,
    title: PROBLEMS[type].title,
    status,
    detail: EXAMPLE_DETAILS[type],
    instance: '/api/teams',
    request_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e',
    ...(type === 'invalid' ? { errors: [{ pointer: '/name', code: 'required', message: 'is missing' }] } : {}),
  },
});

const response = (
  operation: Operation,
  status: number,
  types: readonly ProblemType[],
  components: Components,
): Json => ({
  description: types.map((type) => `${PROBLEMS[type].title} (\`${type}\`).`).join(' '),
  headers: problemHeaders(operation, status),
  content: {
    'application/problem+json': {
      schema: components.schema(Problem),
      examples: Object.fromEntries(types.map((type) => [type, example(type, status)])),
    },
  },
});

/** An example of the `detail` of each problem. */
const EXAMPLE_DETAILS: Readonly<Record<ProblemType, string>> = {
  'malformed-json': 'The body ends in the middle of a string.',
  unauthenticated: 'The API key has expired.',
  'wrong-signature': 'The delivery was not signed with the secret of its repository.',
  'wrong-credentials': 'E-mail or password is wrong.',
  'missing-scope': 'The API key lacks the scope deployments:write.',
  'session-only': 'API keys cannot do this; sign in in the browser.',
  'cross-site': 'The request has no Origin of this site.',
  forbidden: 'This needs the role owner; yours is member.',
  'wrong-setup-token': 'Use the token the server printed when it first started.',
  'not-found': 'There is no such resource, or it is not in your sight.',
  'no-active-release': 'The project checkout has no active release; activate one or name a release.',
  'method-not-allowed': 'See the header Allow.',
  'already-member': 'Grace is a member of the team already.',
  'already-set-up': 'Sign in instead.',
  'ambiguous-app-name': 'Two projects in sight are named checkout; say which one by project_id.',
  'deployment-finished': 'It finished with success; a finished deployment cannot change.',
  'email-taken': 'There is an account with this address.',
  'event-source-taken': '/ci/acme is an event source of basket.',
  'external-id-conflict': 'Another record with other content has this external id.',
  'approval-unusable': 'Connect again; an approval can be used once, within ten minutes.',
  'host-not-configured': 'The administrator of the server must enable it.',
  'host-not-connected': 'Connect your account under Settings first.',
  'host-rejected': 'GitHub refused the stored approval; connect again.',
  'idempotency-key-in-use': 'Try again in a second.',
  'invitation-for-another-address': 'Accept it with an account of the address it was made for.',
  'invitation-unusable': 'Ask for a new one.',
  'kept-by-host': 'It is imported from GitHub; change it there.',
  'last-administrator': 'Make sure that another one is left before.',
  'last-owner': 'Make another person an owner first.',
  'not-marked': 'Rollback is not marked as not applicable.',
  'not-offered': 'This service has no stores of the group webhooks.',
  'not-restorable': 'Pen test was removed 30 days ago or more; add it again instead.',
  'name-taken': 'There is one named checkout already.',
  'no-such-reason': 'The gate does not hold for axis_below_minimum on ops.',
  'reason-worse': 'It is worse now: 6 critical bugs open, at most 0 allowed.',
  'release-active': '2.3 is active; say whether to ship or park it.',
  'release-closed': '2.3 was shipped; it can only be read.',
  'test-run-state': 'The test run is set aside already.',
  'release-state': 'A shipped release cannot be activated.',
  'template-item':
    "Rollback comes from the project's checklist template; mark it as not applicable, with a reason, instead.",
  'too-many-secrets': '5 former secrets still hold; the secret can be rotated again when the oldest of them ends.',
  'webhook-disabled': 'The webhook is disabled: nothing is sent to it.',
  'version-mismatch': 'You have version 3; it is at version 4 now.',
  'body-too-large': 'At most 65,536 bytes are taken.',
  'unsupported-media-type': 'Send application/json.',
  invalid: 'The request has 1 fault.',
  'unknown-app-name': 'No project in sight is named chekout; the nearest is checkout.',
  'idempotency-key-reused': 'The key was used with another body.',
  'version-required': 'Send the version you read as If-Match.',
  'too-many-requests': 'Try again in 4 seconds.',
  'body-consumed':
    'A program that serves this service inside itself must hand requests over before its body parser, or keep the raw bytes in request.rawBody.',
  internal: 'It was logged under the request id.',
  'host-unavailable': 'GitHub did not answer within 5 seconds.',
  unavailable: 'The answer took too long and the outcome is unknown.',
};

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** Gathers what operations share. It is written once, under `components`, and referred to from everywhere else. */
interface Components {
  /** The schema, with every titled one in it replaced by its reference. Throws when two different schemas bear one title. */
  schema(schema: Schema): Json;
  /** A reference to the response, which is kept under that name. */
  response(name: string, response: Json): Json;
  /** All that was gathered, by name. */
  all(): { readonly schemas: Json; readonly responses: Json };
}

const isTitled = (value: object): value is Schema & { readonly title: string } =>
  'title' in value && typeof value.title === 'string';

const sorted = (map: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...map].sort(([a], [b]) => a.localeCompare(b)));

export const gatherComponents = (): Components => {
  const schemas = new Map<string, Json>();
  const sources = new Map<string, string>();
  const responses = new Map<string, Json>();

  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value !== 'object' || value === null) return value;
    return isTitled(value) ? titled(value) : members(value);
  };

  // Examples are data, and a property may be called title: neither names a schema.
  const members = (schema: object): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [
        name,
        name === 'examples' ? value : name === 'properties' ? properties(value) : inner(value),
      ]),
    );

  const properties = (all: object): Json =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, inner(schema)]));

  const titled = (schema: Schema & { readonly title: string }): Json => {
    const source = JSON.stringify(schema);
    const known = sources.get(schema.title);
    if (known !== undefined && known !== source) throw new Error(`Two schemas are titled ${schema.title}.`);
    if (known === undefined) {
      sources.set(schema.title, source);
      schemas.set(schema.title, members(schema));
    }
    return { $ref: `#/components/schemas/${schema.title}` };
  };

  return {
    schema: (schema) => (isTitled(schema) ? titled(schema) : members(schema)),
    response(name, response) {
      responses.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    },
    all: () => ({ schemas: sorted(schemas), responses: sorted(responses) }),
  };
};

const text = { type: 'string' } as const;
const etag = { type: 'string', examples: ['"7"'] } as const;

/** Request headers an operation may take, as parameters. */
const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repetition safe: the same key with the same body replays the first answer. Kept for 7 days, per caller and path.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `version` that was read, in double quotes; another one now is refused with 412.',
    schema: etag,
  },
  IfMatchRequired: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'The `version` that was read, in double quotes; another one now is refused with 412.',
    schema: etag,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the answer at hand; 304 while it holds.',
    schema: text,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Names the request in the logs; made by the server unless given.',
    schema: text,
  },
} as const satisfies Json;

/** Response headers, by their name. */
const RESPONSE_HEADERS = {
  'X-Request-Id': { description: 'Names the request in the logs.', schema: text },
  RateLimit: { description: 'What is left of the request limit, and until when.', schema: text },
  'RateLimit-Policy': { description: 'The request limit.', schema: text },
  'Shipworthy-Key-Expires': {
    description:
      'There in the last 14 days of the API key that makes the request: when it expires, RFC 3339 in UTC. From then on the ' +
      'key is answered 401.',
    schema: { type: 'string', format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] },
  },
  ETag: { description: 'Changes whenever the body does.', schema: text },
  'Content-Disposition': {
    description: '`attachment` with the name of the file, after RFC 6266.',
    schema: text,
  },
  Location: { description: 'Path of what was created.', schema: text },
  'Idempotent-Replayed': {
    description: 'There when the answer to an earlier request with the key was replayed.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: { description: 'The next page, with `rel="next"`.', schema: text },
  'Set-Cookie': { description: 'The session; an empty one where it ends.', schema: text },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
  Allow: { description: 'The methods that are allowed here.', schema: text },
} as const satisfies Json;

type HeaderName = keyof typeof RESPONSE_HEADERS;

const refer = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = (operation: Operation): readonly HeaderName[] =>
  operation.unlimited ? ['X-Request-Id'] : ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** Headers that every answer to a valid API key may carry. */
const ofKey = ({ auth }: Operation): readonly HeaderName[] => (auth.kind === 'key' ? ['Shipworthy-Key-Expires'] : []);

/** The headers of the successful answer. */
const successHeaders = (operation: Operation): Json =>
  refer([
    ...always(operation),
    ...ofKey(operation),
    ...(operation.etag ? (['ETag'] as const) : []),
    ...(operation.success.attachment ? (['Content-Disposition'] as const) : []),
    ...(operation.location ? (['Location'] as const) : []),
    ...(operation.idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.query?.properties?.cursor ? (['Link'] as const) : []),
    ...(operation.startsSession || operation.endsSession ? (['Set-Cookie'] as const) : []),
  ]);

const BY_STATUS: Readonly<Record<number, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** The headers of a problem with that status. */
const problemHeaders = (operation: Operation, status: number): Json => {
  const own = BY_STATUS[status];
  const known = status === 401 ? [] : ofKey(operation);
  return refer([...always(operation), ...known, ...(own ? [own] : [])]);
};

/** The request headers of the operation, as references. */
const headerParameters = (operation: Operation): readonly Json[] => {
  const names: readonly (keyof typeof HEADER_PARAMETERS)[] = [
    ...(operation.idempotent ? (['IdempotencyKey'] as const) : []),
    ...(operation.ifMatch === 'optional' ? (['IfMatch'] as const) : []),
    ...(operation.ifMatch === 'required' ? (['IfMatchRequired'] as const) : []),
    ...(operation.etag ? (['IfNoneMatch'] as const) : []),
    'RequestId',
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
};
