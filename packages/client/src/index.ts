export type { Answer, AnswerOf, CallOptions, Input, PagedId, RowOf, Unchanged } from './call.js';
export { type Client, type ClientOf, createClient, createClientOf } from './client.js';
export type * from './contract/index.js';
export {
  AnswerTooLargeError,
  ConnectionError,
  isProblem,
  ProblemError,
  type ProblemTypeOf,
  ResponseShapeError,
  ShipworthyError,
  TimeoutError,
  UnexpectedAnswerError,
} from './error.js';
export { MOST_ANSWER_BYTES, readText } from './read-answer.js';
export type { ClientOptions } from './settings.js';
