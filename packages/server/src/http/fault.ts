import type { Fault } from '@shipworthy/domain';
import type { ErrorObject } from 'ajv/dist/2020.js';

/** More than these are not listed: whoever has twenty faults begins with those. */
export const MOST_FAULTS = 20;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const FORMATS: Readonly<Record<string, string>> = {
  characters: 'must be well-formed Unicode without control characters or line breaks',
  text: 'must be readable text: something visible, no control characters, no line breaks, no characters that reorder others',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  timestamp: 'must be a date and time as in RFC 3339, such as 2026-11-20T09:30:00Z',
  'http-url': 'must be an absolute http or https address without user and password',
};

const oneOfThese = (values: readonly unknown[]): string => {
  const words = values.map(String);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const typeName = (type: unknown): string =>
  oneOfThese((Array.isArray(type) ? type : [type]).map((each) => TYPES[each] ?? each));

const plural = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What is wrong, as the rest of a sentence that begins with the field. */
const message = ({ keyword, params }: ErrorObject): string => {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'type':
      return `must be ${typeName(params.type)}`;
    case 'enum':
      return `must be ${oneOfThese(params.allowedValues)}`;
    case 'const':
      return `must be ${params.allowedValue}`;
    case 'minimum':
      return `must be ${params.limit} or more`;
    case 'maximum':
      return `must be ${params.limit} or less`;
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have ${plural(params.limit, 'character')} or more`;
    case 'maxLength':
      return `must have ${plural(params.limit, 'character')} or fewer`;
    case 'minItems':
      return `must have ${plural(params.limit, 'item')} or more`;
    case 'maxItems':
      return `must have ${plural(params.limit, 'item')} or fewer`;
    case 'minProperties':
      return `must have ${plural(params.limit, 'member')} or more`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'pattern':
      return `must match ${params.pattern}`;
    case 'format':
      return FORMATS[params.format] ?? `must be a ${params.format}`;
    default:
      return 'is in none of the forms allowed here';
  }
};

/** The code of an unknown field is plainer than the validator's keyword. */
const codeOf = (keyword: string): string => (keyword === 'additionalProperties' ? 'unknown' : keyword);

const pointerOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  if (keyword === 'required') return `${instancePath}/${escaped(params.missingProperty)}`;
  return keyword === 'additionalProperties' ? `${instancePath}/${escaped(params.additionalProperty)}` : instancePath;
};

/** One fault of the validator in the words of the interface. */
export const faultOf = (error: ErrorObject): Fault => {
  const pointer = pointerOf(error);
  const subject = pointer === '' ? 'The body' : (pointer.split('/').at(-1) ?? '');
  return { pointer, code: codeOf(error.keyword), message: `${subject.slice(0, 100)} ${message(error)}` };
};
