import { HttpUrl, Id, Named, Text, Timestamp } from './field.js';
import { type FromSchema, record, type Schema } from './schema.js';

/** Every problem the interface answers: type, HTTP status, title. `type` on the wire is `/api/docs/problems/<type>`. */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'The body is not well-formed JSON' },
  unauthenticated: { status: 401, title: 'A valid API key or session is needed' },
  'wrong-signature': { status: 401, title: 'The signature is wrong' },
  'wrong-credentials': { status: 401, title: 'E-mail or password is wrong' },
  'missing-scope': { status: 403, title: 'The API key lacks the scope' },
  'session-only': { status: 403, title: 'Only a browser session may do this' },
  'cross-site': { status: 403, title: 'The request did not come from this site' },
  forbidden: { status: 403, title: 'Your role in the team does not allow this' },
  'wrong-setup-token': { status: 403, title: 'The setup token is wrong' },
  'not-found': { status: 404, title: 'Not found' },
  'no-active-release': { status: 409, title: 'No release is active' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'already-member': { status: 409, title: 'The person is a member already' },
  'already-set-up': { status: 409, title: 'The service is set up already' },
  'ambiguous-app-name': { status: 409, title: 'Several projects have this name' },
  'deployment-finished': { status: 409, title: 'The deployment has finished with another status or duration' },
  'email-taken': { status: 409, title: 'The e-mail address is taken' },
  'event-source-taken': { status: 409, title: 'Another project of the team has this event source' },
  'external-id-conflict': { status: 409, title: 'The external id belongs to another record' },
  'approval-unusable': { status: 409, title: 'The approval was used, has expired or was begun elsewhere' },
  'host-not-configured': { status: 409, title: 'The server is not set up to connect the repository host' },
  'host-not-connected': { status: 409, title: 'The account at the repository host is not connected' },
  'host-rejected': { status: 409, title: 'The repository host refused the connection' },
  'idempotency-key-in-use': { status: 409, title: 'The first request with this key is still running' },
  'invitation-for-another-address': { status: 409, title: 'The invitation is for another email address' },
  'invitation-unusable': { status: 409, title: 'The invitation was used, has expired or was withdrawn' },
  'kept-by-host': { status: 409, title: 'The record is kept at the repository host' },
  'last-administrator': { status: 409, title: 'The service keeps at least one administrator' },
  'last-owner': { status: 409, title: 'A team keeps at least one owner' },
  'name-taken': { status: 409, title: 'The name is taken' },
  'not-marked': { status: 409, title: 'The checklist item is not marked as not applicable' },
  'not-restorable': { status: 409, title: 'The checklist item can no longer be restored' },
  'no-such-reason': { status: 409, title: 'The gate has no such reason now' },
  'reason-worse': { status: 409, title: 'The reason is worse now than the one that was seen' },
  'release-active': { status: 409, title: 'Another release is active' },
  'release-closed': { status: 409, title: 'The release is shipped or canceled' },
  'test-run-state': { status: 409, title: 'The test run is set aside already, or is not' },
  'release-state': { status: 409, title: 'The release cannot go from its state to that one' },
  'template-item': { status: 409, title: 'Items of the checklist template cannot be removed' },
  'too-many-secrets': { status: 409, title: 'Too many former secrets still hold' },
  'webhook-disabled': { status: 409, title: 'The webhook is disabled' },
  'version-mismatch': { status: 412, title: 'It was changed by someone else' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be JSON' },
  invalid: { status: 422, title: 'The request has faults' },
  'unknown-app-name': { status: 422, title: 'No project has this name' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'version-required': { status: 428, title: 'If-Match with the version is required' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'body-consumed': { status: 500, title: 'The surrounding program read the body before the service could' },
  internal: { status: 500, title: 'The service has a fault' },
  'not-offered': { status: 501, title: 'The service has no stores for this' },
  'host-unavailable': { status: 503, title: 'The repository host cannot be reached now' },
  unavailable: { status: 503, title: 'The service cannot answer now' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemType = keyof typeof PROBLEMS;

const Fault = record({
  title: 'Fault',
  description: 'One fault of a request.',
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body, or the name of the query member or header.' },
    code: { type: 'string', description: 'Stable code of the fault.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
  },
});

/** Members that only some problems carry. */
const extensions = {
  errors: { type: 'array', items: Fault, description: 'Every fault at once, in a batch its first 100; with 422.' },
  current: {
    type: 'object',
    description: 'The newer state; with `version-mismatch`. The present reason; with `reason-worse`.',
  },
  active: { ...Named, description: 'The release in the way; with `release-active`.' },
  release: { ...Named, description: 'The release that is shipped or canceled; with `release-closed`.' },
  candidates: {
    type: 'array',
    items: record({ properties: { id: Id, name: Text, team_id: Id } }),
    description: 'Projects in sight that have the name; with `ambiguous-app-name`.',
  },
  nearest: {
    type: 'array',
    items: Text,
    description: 'The nearest names of projects in sight; with `unknown-app-name`.',
  },
  renamed_to: { ...Text, description: 'What the project of that name is named now; with `unknown-app-name`.' },
  source: { ...Text, maxLength: 500, description: 'The event source that is taken; with `event-source-taken`.' },
  project: { ...Named, description: 'The project that has it; with `event-source-taken`.' },
  cause: { type: 'string', description: 'What kept the repository host from answering; with `host-unavailable`.' },
  retry_at: { ...Timestamp, description: 'When the repository host may answer again; with `host-unavailable`.' },
  url: { ...HttpUrl, description: 'Where it is kept; with `kept-by-host`.' },
  id: { ...Id, description: 'The record that has the external id; with `external-id-conflict`.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** A problem by RFC 9457. It may have further members, so that later versions can add some. */
export const Problem = {
  title: 'Problem',
  description: 'What went wrong, after RFC 9457. Further members may be added.',
  type: 'object',
  properties: {
    type: {
      type: 'string',
      description: 'Where the problem is described: `/api/docs/problems/` and its name, below the path of the service.',
    },
    title: { type: 'string', description: 'The same for every problem of the type.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What went wrong this time, for people.' },
    instance: { type: 'string', description: 'The path that was called.' },
    request_id: { type: 'string', description: 'Names the request in the logs; also in `X-Request-Id`.' },
    ...extensions,
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'request_id'],
  additionalProperties: true,
  examples: [
    {
      type: '/api/docs/problems/invalid',
      title: PROBLEMS.invalid.title,
      status: 422,
      detail: 'The body has 1 fault.',
      instance: '/api/deployments',
      request_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e',
      errors: [{ pointer: '/status', code: 'enum', message: 'must be started, success or failure' }],
    },
  ],
} as const satisfies Schema;
export type Problem = FromSchema<typeof Problem>;
