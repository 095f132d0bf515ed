import { Id } from '../field.js';
import type { Auth, Operation } from '../operation.js';
import type { Schema } from '../schema.js';
import type { Components, Json } from './components.js';
import { headerParameters, successHeaders } from './header.js';
import { problemResponses } from './problem-response.js';

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

/** One operation as the document shows it. */
export const operationObject = (operationId: string, operation: Operation, components: Components): Json => ({
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
