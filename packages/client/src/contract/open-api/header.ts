import type { Operation } from '../operation.js';
import type { Json } from './components.js';

const text = { type: 'string' } as const;
const etag = { type: 'string', examples: ['"7"'] } as const;

/** Request headers an operation may take, as parameters. */
export const HEADER_PARAMETERS = {
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
export const RESPONSE_HEADERS = {
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

/** What every answer to a valid API key may carry. */
const ofKey = ({ auth }: Operation): readonly HeaderName[] => (auth.kind === 'key' ? ['Shipworthy-Key-Expires'] : []);

/** The headers of the successful answer. */
export const successHeaders = (operation: Operation): Json =>
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
export const problemHeaders = (operation: Operation, status: number): Json => {
  const own = BY_STATUS[status];
  const known = status === 401 ? [] : ofKey(operation);
  return refer([...always(operation), ...known, ...(own ? [own] : [])]);
};

/** The request headers of the operation, as references. */
export const headerParameters = (operation: Operation): readonly Json[] => {
  const names: readonly (keyof typeof HEADER_PARAMETERS)[] = [
    ...(operation.idempotent ? (['IdempotencyKey'] as const) : []),
    ...(operation.ifMatch === 'optional' ? (['IfMatch'] as const) : []),
    ...(operation.ifMatch === 'required' ? (['IfMatchRequired'] as const) : []),
    ...(operation.etag ? (['IfNoneMatch'] as const) : []),
    'RequestId',
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
};
