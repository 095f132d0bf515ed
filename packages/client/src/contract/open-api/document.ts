import { Id } from '../field.js';
import { type Auth, type Operation, problemsOf, statusOf, TAGS } from '../operation.js';
import { operations } from '../operations.js';
import { PROBLEMS, Problem, type ProblemType } from '../problem.js';
import type { Schema } from '../schema.js';
import { type Components, gatherComponents, type Json } from './components.js';
import { HEADER_PARAMETERS, headerParameters, problemHeaders, RESPONSE_HEADERS, successHeaders } from './header.js';

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

/** One operation as the document shows it. */
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
  ...('role' in auth && auth.role !== undefined ? [`Least role in the team: \`${auth.role}\`.`] : []),
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

/** The answers of an operation that went wrong, by status, with an example of each problem. */
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

/** What the `detail` of each problem may say. */
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
  'last-owner': 'Make somebody else an owner first.',
  'not-marked': 'Rollback is not marked as not applicable.',
  'not-restorable': 'Pen test was removed 30 days ago or more; add it again instead.',
  'name-taken': 'There is one named checkout already.',
  'no-such-reason': 'The gate does not hold for axis_below_minimum on ops.',
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
  unavailable: 'Whether a write was stored is unknown; try again with the same Idempotency-Key.',
};
