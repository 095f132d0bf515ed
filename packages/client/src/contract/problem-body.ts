import { HttpUrl, Id, Text, Timestamp } from './field.js';
import { PROBLEMS } from './problem.js';
import { record } from './record.js';
import type { FromSchema, Schema } from './schema.js';

const Fault = record({
  title: 'Fault',
  description: 'One fault of a request.',
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body, or the name of the query member or header.' },
    code: { type: 'string', description: 'Stable code of the fault.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
  },
});

const ReleaseLabel = record({ properties: { id: Id, name: Text } });

/** Members that only some problems carry. */
const extensions = {
  errors: { type: 'array', items: Fault, description: 'Every fault at once, in a batch its first 100; with 422.' },
  current: { type: 'object', description: 'The newer state; with `version-mismatch`.' },
  active: { ...ReleaseLabel, description: 'The release in the way; with `release-active`.' },
  release: { ...ReleaseLabel, description: 'The release that is shipped or canceled; with `release-closed`.' },
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
  project: {
    ...record({ properties: { id: Id, name: Text } }),
    description: 'The project that has it; with `event-source-taken`.',
  },
  cause: { type: 'string', description: 'What kept the repository host from answering; with `host-unavailable`.' },
  retry_at: { ...Timestamp, description: 'When the repository host may answer again; with `host-unavailable`.' },
  url: { ...HttpUrl, description: 'Where it is kept; with `kept-by-host`.' },
  id: { ...Id, description: 'The record that has the external id; with `external-id-conflict`.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** RFC 9457; open for members to come. */
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
