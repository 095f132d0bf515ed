import { FORMATS, MAX_INTEGER, type Operation, type Schema, type SchemaType } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type BodyFormat,
  bodyFormat,
  bodyText,
  checkLines,
  checkRawExtent,
  createStrictReader,
  hasBody,
  parseStrictJson,
  readBody,
} from './body.js';
import { turnOfLoop } from './costly-read.js';
import { faulty, Problem } from './problem.js';
import { queryOf, type RequestContext, type RequestStep, type SentBody } from './request.js';
import type { BodyRoom } from './room.js';
import type { BatchItem } from './route.js';

const takesNull = ({ type, enum: values, oneOf, anyOf }: Schema): boolean =>
  [type].flat().some((one) => one === undefined || one === 'null') ||
  values?.includes(null) === true ||
  oneOf !== undefined ||
  anyOf !== undefined;

/**
 * Returns a function that removes optional members that are null and whose schema does not take null. It is for new
 * records: they have no former value that null could remove, and many programs write null for values they do not have.
 */
const withoutNulls = ({ properties = {}, required = [] }: Schema): ((value: unknown) => unknown) => {
  const absent = Object.keys(properties).filter((name) => {
    const schema = properties[name];
    return schema !== undefined && !required.includes(name) && !takesNull(schema);
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = value as Readonly<Record<string, unknown>>;
    if (!absent.some((name) => members[name] === null)) return value;
    return Object.fromEntries(Object.entries(members).filter(([name, of]) => of !== null || !absent.includes(name)));
  };
};

/** Converts a value before it is checked. */
type Convert = (value: unknown) => unknown;

const ofLine = (line: string, parse: (text: string) => unknown, check: Check, convert: Convert): BatchItem<unknown> => {
  let value: unknown;
  try {
    value = parse(line);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { faults: [{ pointer: '', code: error.type, message: error.detail }] };
  }
  return ofValue(value, check, convert);
};

const ofValue = (sent: unknown, check: Check, convert: Convert): BatchItem<unknown> => {
  const value = convert(sent);
  const faults = check(value);
  return faults.length === 0 ? { value } : { faults };
};

const countFault = (code: string, message: string): readonly Fault[] => [{ pointer: '', code, message }];

const checkCount = (count: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema): void => {
  if (count < minItems) throw faulty(countFault('minItems', `The batch must have ${minItems} or more records`));
  if (count > maxItems) throw faulty(countFault('maxItems', `The batch must have ${maxItems} or fewer records`));
};

/**
 * Reads a batch, a JSON array or one JSON text per line, into its records, each valid or with its own faults.
 * @throws Problem `malformed-json` for a broken array, `invalid` for another form or too many records, `body-too-large` for too many values
 */
export const createBatchReader = (schema: Schema, check: Check, convert: Convert = (value) => value) => {
  return (raw: Buffer, format: BodyFormat): readonly BatchItem<unknown>[] => {
    const text = bodyText(raw);
    if (format === 'ndjson') {
      // A million blank lines would take long to be looked at one by one.
      const lines = text
        .replace(/\n\s*\n/g, '\n')
        .split('\n')
        .filter((line) => line.trim() !== '');
      checkCount(lines.length, schema);
      checkLines(lines);
      const parse = createStrictReader();
      return lines.map((line) => ofLine(line, parse, check, convert));
    }
    const values = parseStrictJson(text);
    if (!Array.isArray(values)) throw faulty(countFault('type', 'The body must be a list'));
    checkCount(values.length, schema);
    return values.map((value) => ofValue(value, check, convert));
  };
};

/** The version of a tag that is not a version, or is one that no store can follow with another: no resource has it. */
const NO_VERSION = 0;

/**
 * The version that `If-Match` demands. null without the header or for `*`, which any state fulfils;
 * a tag that is no version answers 0, which no resource has.
 * @throws Problem `version-required` where it is required and names no version
 */
export const versionDemanded = (header: string | undefined, required: boolean): number | null => {
  const value = header?.trim();
  if (value !== undefined && value !== '*') {
    const [, digits] = /^"([1-9]\d{0,9})"$/.exec(value) ?? [];
    const version = Number(digits ?? NO_VERSION);
    return version < MAX_INTEGER ? version : NO_VERSION;
  }
  if (required)
    throw new Problem('version-required', 'Send If-Match with the version you saw, for example If-Match: "3".');
  return null;
};

const NO_PARAMETERS: Readonly<Record<string, never>> = Object.freeze({});

const typesOf = (schema: Schema | undefined): readonly SchemaType[] => {
  const type = schema?.type;
  return type === undefined || typeof type === 'string' ? (type === undefined ? [] : [type]) : type;
};

/**
 * Converts a parameter's text to the type of its property. Text that does not fit stays text, for the schema to refuse.
 */
const read = (text: string, types: readonly SchemaType[]): unknown => {
  if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('invalid', 'The query is not well-formed: a percent sign begins no valid sequence.', {
      members: { errors: [{ pointer: '', code: 'malformed', message: 'The query is not well-formed.' }] },
    });
  }
};

const named = (fault: Fault): Fault => ({ ...fault, pointer: fault.pointer.replace(/^\//, '') });

/** Reads a query string by an object schema. A parameter given twice is a fault, unless its property is a list; 20 such faults are listed. */
export const createQueryReader = (schema: Schema | undefined, check: Check) => {
  const properties = schema?.properties ?? {};
  return (query: string): { readonly value: unknown; readonly faults: readonly Fault[] } => {
    if (query === '' && schema?.required === undefined) return { value: NO_PARAMETERS, faults: [] };
    const value = Object.create(null) as Record<string, unknown>;
    const faults: Fault[] = [];
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const types = typesOf(property);
      const before = value[name];
      if (types.includes('array')) {
        value[name] = [...(Array.isArray(before) ? before : []), read(text, typesOf(property?.items))];
      } else if (before !== undefined) {
        if (faults.length < MOST_FAULTS)
          faults.push({ pointer: name.slice(0, 100), code: 'twice', message: `${name.slice(0, 100)} is given twice` });
      } else value[name] = read(text, types);
    }
    return { value, faults: [...faults, ...check(value).map(named)] };
  };
};

/** Most faults that are listed: twenty are enough to begin with. */
export const MOST_FAULTS = 20;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
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

/** The fault as the rest of a sentence that begins with the field. */
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
      return FORMAT_TEXTS[params.format] ?? `must be a ${params.format}`;
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
const faultOf = (error: ErrorObject): Fault => {
  const pointer = pointerOf(error);
  const subject = pointer === '' ? 'The body' : (pointer.split('/').at(-1) ?? '');
  return { pointer, code: codeOf(error.keyword), message: `${subject.slice(0, 100)} ${message(error)}` };
};

/** Answers the faults of a value, twenty at most; none when it is as the schema says. */
export type Check = (value: unknown) => readonly Fault[];

const NONE: readonly Fault[] = [];

// Never coerceTypes (null becomes 0) and never $data (a body would choose its own limits).
const OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  formats: FORMATS,
  ownProperties: true,
  // The schemas are the contract's own, and its tests check them against the meta-schema. Compiling the meta-schema
  // takes each instance longer than all schemas of a request.
  validateSchema: false,
} as const satisfies Options;

const BRANCH = /^(.*\/oneOf)\/(\d+)\//;

const isAbout = (error: ErrorObject, keyword: string): boolean => error.keyword === keyword;

/** The errors of the branch of a failed `oneOf` that came nearest: its type matches, and it has the fewest errors. */
const nearestBranch = (union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const branches = new Map<string, ErrorObject[]>();
  const below = `${union.instancePath}/`;
  for (const error of errors) {
    // All entries of a list have one schema: only the place in the value tells their errors apart.
    if (error.instancePath !== union.instancePath && !error.instancePath.startsWith(below)) continue;
    const [, schema, index] = BRANCH.exec(error.schemaPath) ?? [];
    if (schema !== union.schemaPath || index === undefined) continue;
    const branch = branches.get(index);
    if (branch === undefined) branches.set(index, [error]);
    else branch.push(error);
  }
  const sameKind = [...branches.values()].filter(
    (branch) => !branch.some((error) => error.instancePath === union.instancePath && isAbout(error, 'type')),
  );
  const [nearest] = sameKind.sort((a, b) => a.length - b.length);
  return nearest ?? [union];
};

/** The errors to tell, twenty at most: each union is looked up among all errors, and a body may have thousands of both. */
const plainErrors = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const plain: ErrorObject[] = [];
  for (const error of errors) {
    if (plain.length >= MOST_FAULTS) break;
    if (BRANCH.test(error.schemaPath)) continue;
    plain.push(...(isAbout(error, 'oneOf') ? nearestBranch(error, errors) : [error]));
  }
  return plain.slice(0, MOST_FAULTS);
};

// Ajv keeps what it compiled: the servers of one process share it.
const first = new Ajv2020({ ...OPTIONS, allErrors: false });
const all = new Ajv2020({ ...OPTIONS, allErrors: true });

/** Returns the check of a schema of the contract. It is compiled at its first use: all at once would take most of a start. */
export const checkOf = (schema: Schema): Check => {
  let passes: ValidateFunction | undefined;
  // Most values have no fault, so the slower validator that looks for all of them is compiled only when there is one.
  let listAll: ValidateFunction | undefined;
  return (value) => {
    passes ??= first.compile(schema);
    if (passes(value)) return NONE;
    listAll ??= all.compile(schema);
    listAll(value);
    return plainErrors(listAll.errors ?? []).map(faultOf);
  };
};

/** Largest body where the operation says nothing, in bytes. */
const BODY_LIMIT = 65_536;

type BodyRead = { readonly value: unknown; readonly faults: readonly Fault[]; readonly raw: Buffer };
const NO_BODY: BodyRead = { value: undefined, faults: [], raw: Buffer.alloc(0) };

/** Reads the body as it was sent (415, 413), and gives back the room it takes when the request is done. */
export const takeBody = (operation: Operation, room: BodyRoom): RequestStep => {
  const { body: schema, bodyMode, bodyLimit = BODY_LIMIT, bodyTypes } = operation;
  if (schema === undefined) return (_, next) => next();
  const take = async ({ req, state }: RequestContext): Promise<SentBody> => {
    if (!hasBody(req)) {
      if (bodyMode === 'optional') return null;
      throw new Problem('malformed-json', 'A JSON body is needed; there is none.');
    }
    const format = bodyFormat(req, bodyMode === 'batch', bodyTypes);
    const raw = await readBody(req, bodyLimit, (bytes) => room.take(state, bytes));
    return raw.length === 0 && bodyMode === 'optional' ? null : { raw, format };
  };
  return async (ctx, next) => {
    try {
      ctx.state.sentBody = await take(ctx);
      await next();
    } finally {
      room.giveBack(ctx.state);
    }
  };
};

/**
 * Returns a function that reads a sent body into the operation's input, with all its faults.
 * @throws Problem `malformed-json`, `body-too-large`, `invalid`
 */
const createBodyReader = (
  { body: schema, bodyMode, method, success }: Operation,
  check: Check,
): ((sent: SentBody) => BodyRead) => {
  const creates = method === 'POST' && (success.status === 201 || bodyMode === 'batch');
  const record = bodyMode === 'batch' ? schema?.items : schema;
  const convert = creates && record ? withoutNulls(record) : (value: unknown) => value;
  const batch = schema && bodyMode === 'batch' ? createBatchReader(schema, check, convert) : null;
  return (sent) => {
    if (sent === null) return NO_BODY;
    const { raw, format } = sent;
    if (bodyMode === 'raw') {
      checkRawExtent(raw);
      return { ...NO_BODY, raw };
    }
    if (batch !== null) return { value: batch(raw, format), faults: [], raw };
    const read = parseStrictJson(bodyText(raw));
    if (bodyMode === 'foreign') return { value: read, faults: [], raw };
    const value = convert(read);
    return { value, faults: check(value), raw };
  };
};

const NO_QUERY = { type: 'object', additionalProperties: false } as const;

/**
 * Reads and checks what an operation takes: the body (400), then the faults of query and body together (422), then
 * `If-Match` (428; a mismatch is the use case's to find). Faults of a body for which `isComparisonNeeded` is true are left
 * to the step that compares it with the stored record.
 */
export const validateInput = (
  operation: Operation,
  isComparisonNeeded: (body: unknown) => boolean = () => false,
): RequestStep => {
  const { query, body, bodyMode, ifMatch } = operation;
  const readQuery = createQueryReader(query, checkOf(query ?? NO_QUERY));
  const bodySchema = bodyMode === 'batch' ? body?.items : body;
  const readSent = bodySchema && createBodyReader(operation, checkOf(bodySchema));
  const validate: RequestStep = ({ req, state }, next) => {
    const { value, faults, raw } = readSent?.(state.sentBody) ?? NO_BODY;
    const queryRead = readQuery(queryOf(req.url ?? ''));
    const needsComparison = isComparisonNeeded(value);
    const all = needsComparison ? queryRead.faults : [...queryRead.faults, ...faults];
    if (all.length > 0) throw faulty(all);
    const version = ifMatch ? versionDemanded(req.headers['if-match'], ifMatch === 'required') : null;
    state.input = { query: queryRead.value, body: value, raw, ifMatch: version, needsComparison };
    return next();
  };
  // Large bodies that arrive together are read in separate turns of the event loop.
  return (ctx, next) =>
    ctx.state.held > BODY_LIMIT ? turnOfLoop().then(() => validate(ctx, next)) : validate(ctx, next);
};
