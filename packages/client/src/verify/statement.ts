import type { VerdictStatement } from '../contract/verdict.js';
import { STATEMENT_TYPE, VERDICT_TYPE } from '../contract/verdict-names.js';
import { isRecord } from './envelope.js';
import { malformed, VerdictError } from './verdict-error.js';

const OBJECTS = ['project', 'release', 'facts', 'policy', 'result'] as const;
const TEXTS = ['formula', 'as_of', 'issued_at', 'service_version'] as const;

const parsed = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw malformed('the payload is not JSON in UTF-8');
  }
};

const isPredicate = (value: unknown): boolean =>
  isRecord(value) &&
  OBJECTS.every((name) => isRecord(value[name])) &&
  TEXTS.every((name) => typeof value[name] === 'string') &&
  Array.isArray(value.waivers);

const isSubject = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one: unknown) => isRecord(one) && typeof one.name === 'string' && isRecord(one.digest));

/** The statement of a payload whose signature is verified. @throws VerdictError `wrong-type`, `malformed` */
export const statementOf = (payload: Uint8Array): VerdictStatement => {
  const statement = parsed(payload);
  if (!isRecord(statement)) throw malformed('the payload is no object');
  const { _type, predicateType, subject, predicate } = statement;
  if (_type !== STATEMENT_TYPE) throw new VerdictError('wrong-type', 'What was signed is no in-toto statement.');
  if (predicateType !== VERDICT_TYPE) throw new VerdictError('wrong-type', 'What was signed is no verdict.');
  if (!isSubject(subject)) throw malformed('it is about nothing');
  if (!isPredicate(predicate)) throw malformed('members of its predicate are missing');
  // Who holds the key signs only what the contract says; the checks above tell a stranger's document from it.
  return statement as unknown as VerdictStatement;
};
