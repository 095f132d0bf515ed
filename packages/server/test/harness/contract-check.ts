import {
  FORMATS,
  type Operation,
  type OperationId,
  operations,
  Problem,
  problemsOf,
  type Schema,
  statusOf,
} from '@shipworthy/client/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, formats: FORMATS });
const compiled = new Map<Schema, ValidateFunction>();

/** Demands that a value is as the schema says. */
export const expectToFit = (schema: Schema, value: unknown, what: string): void => {
  const fits = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, fits);
  if (!fits(value))
    expect.fail(`${what} breaks the contract: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(value)}`);
};

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const checkSuccess = (id: string, { success, etag, location }: Operation, answer: RawAnswer): void => {
  const { status, headers, text } = answer;
  expect('content-disposition' in headers, `${id} is a file or none`).to.equal(success.attachment === true);
  if (etag) expect(headers.etag, `${id} has a strong entity tag`).to.match(/^"[^"]+"$/);
  if (status === 304 && etag) {
    expect(text, `${id} 304`).to.equal('');
    return;
  }
  expect([success.status, success.otherwise], `${id}: ${text}`).to.include(status);
  if (location !== undefined) expect(headers.location, `${id} says where it is`).to.match(/^\/api\//);
  if (success.body === null) {
    expect(text, `${id} has no body`).to.equal('');
    return;
  }
  expect(headers['content-type'], id).to.equal(success.contentType ?? JSON_TYPE);
  const value: unknown = success.contentType === undefined ? JSON.parse(text) : text;
  expectToFit(success.body, value, `The answer of ${id}`);
};

const checkProblem = (id: string, operation: Operation, answer: RawAnswer, path: string): void => {
  const { status, headers, text } = answer;
  expect(headers['content-type'], `${id}: ${text}`).to.equal(PROBLEM_TYPE);
  const problem = JSON.parse(text);
  expectToFit(Problem, problem, `The problem of ${id}`);
  const type = problem.type.replace('/api/docs/problems/', '');
  expect(problemsOf(operation), `${id} may answer`).to.include(type);
  expect(status, `${id} ${type}`).to.equal(statusOf(operation, type));
  expect(problem.status, `${id} ${type}`).to.equal(status);
  expect(problem.instance, `${id} ${type}`).to.equal(path);
  expect(problem.request_id, `${id} ${type}`).to.equal(headers['x-request-id']);
  if (status === 401) expect(headers['www-authenticate'], `${id} ${type}`).to.match(/^Bearer/);
  if (type === 'invalid') expect(problem.errors, `${id} names its faults`).to.have.length.above(0);
};

/** Demands that an answer is one its operation may give: status, headers, body, and the problem's type. */
export const checkAnswer = (id: OperationId, path: string, answer: RawAnswer): void => {
  const operation: Operation = operations[id];
  expect(answer.status, `${id} has no fault: ${answer.text}`).not.to.equal(500);
  if (answer.status >= 400) checkProblem(id, operation, answer, path);
  else checkSuccess(id, operation, answer);
};
