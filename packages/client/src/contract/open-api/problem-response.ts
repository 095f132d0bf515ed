import type { Operation } from '../operation.js';
import { PROBLEMS, type ProblemType } from '../problem.js';
import { Problem } from '../problem-body.js';
import { problemsOf, statusOf } from '../problems-of.js';
import type { Components, Json } from './components.js';
import { EXAMPLE_DETAILS } from './example-detail.js';
import { problemHeaders } from './header.js';

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

/** The answers of an operation that went wrong, by status, with an example of each problem. */
export const problemResponses = (operation: Operation, components: Components): Json => {
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
