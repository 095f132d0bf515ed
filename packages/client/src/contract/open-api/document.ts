import type { Operation } from '../operation.js';
import { operations } from '../operations.js';
import { TAGS } from '../tag.js';
import { type Components, gatherComponents, type Json } from './components.js';
import { HEADER_PARAMETERS, RESPONSE_HEADERS } from './header.js';
import { operationObject } from './operation-object.js';

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
