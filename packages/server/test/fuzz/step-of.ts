import * as fc from 'fast-check';
import type { Operation } from './description.js';
import { faults } from './fault.js';
import { meantBody, meantCallers } from './meant.js';
import { HOOK_BODY } from './message.js';
import { ODD_HEADERS, ODD_QUERIES, type Pair, strays } from './odd-parts.js';
import { CALLERS, MANNERS, type Manner, type Request } from './step.js';
import { Known, type Template } from './template.js';
import { newest } from './texts.js';
import { fittingValue } from './value.js';

const REQUEST_KEYS = ['once', 'twice', 'thrice', 'key-4', 'key-5', 'key-6'];
const HEADERS: Readonly<Record<string, fc.Arbitrary<string | Known>>> = {
  'Idempotency-Key': fc.constantFrom(...REQUEST_KEYS),
  'If-Match': fc.oneof(
    { weight: 4, arbitrary: newest(2).map((nth) => new Known('match', nth, '"1"')) },
    fc.constantFrom('"1"', '"2"'),
  ),
  'If-None-Match': fc.oneof(
    fc.nat(2).map((nth) => new Known('etag', nth, '"x"')),
    fc.constantFrom('*', '"x", W/"y"'),
  ),
  'X-Request-Id': fc.constantFrom('req-1', 'req-2'),
};
/** Parameters of queries that are nearly always there, and those that hardly ever are. */
const NEEDED: ReadonlySet<string> = new Set(['token', 'state', 'code', 'from', 'kind']);
const SELDOM: ReadonlySet<string> = new Set(['cursor', 'error', 'error_description']);

const oftenOf = (name: string): { readonly there: number; readonly absent: number } => ({
  there: NEEDED.has(name) ? 12 : 1,
  absent: SELDOM.has(name) ? 12 : 1,
});

/** Queries with the parameters a list is read with; now and then a page is small, so that there is another. */
const queryOf = ({ parameters }: Operation): fc.Arbitrary<readonly Pair<Template>[]> => {
  const inQuery = parameters.filter((each) => each.in === 'query');
  if (inQuery.length === 0) return fc.constant([]);
  const values = inQuery.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), fittingValue(schema, name === 'token' ? 'badge_token' : name)),
  );
  const some = values.map((value, at) => {
    const { there, absent } = oftenOf(inQuery[at]?.name ?? '');
    const none = fc.constant(undefined);
    return fc.oneof({ weight: absent, arbitrary: none }, { weight: there, arbitrary: value });
  });
  return fc.tuple(...some).map((pairs) => pairs.filter((pair): pair is [string, Template] => pair !== undefined));
};

const headersOf = ({ parameters }: Operation): fc.Arbitrary<readonly Pair<string | Known>[]> => {
  const given = parameters.flatMap(({ name, in: place, required }) => {
    const value = place === 'header' ? HEADERS[name] : undefined;
    if (value === undefined) return [];
    const freq = required === true ? 12 : 1;
    return [fc.option(fc.tuple(fc.constant(name), value), { nil: undefined, freq })];
  });
  return fc
    .tuple(...given)
    .map((pairs) => pairs.filter((pair): pair is [string, string | Known] => pair !== undefined));
};

const wordsOf = ({ parameters }: Operation): fc.Arbitrary<Readonly<Record<string, Template>>> =>
  fc.record(
    Object.fromEntries(
      parameters
        .filter((each) => each.in === 'path' && each.schema.format !== 'uuid')
        .map(({ name, schema }) => [name, fittingValue(schema, name)]),
    ),
    { noNullPrototype: true },
  );

const bodyOf = ({ id, body }: Operation): fc.Arbitrary<Template | undefined> => {
  if (body === null) return fc.constant(undefined);
  if (id === 'receiveHook') return fc.constant(HOOK_BODY);
  const value = meantBody(id, fittingValue(body.schema));
  return body.required ? value : fc.option(value, { nil: undefined });
};

/** The requests to one operation: those it is made for, those with one thing wrong, and those with anything wrong. */
export interface Requests {
  readonly valid: fc.Arbitrary<Request>;
  readonly any: fc.Arbitrary<Request>;
}

const either = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> =>
  fc.array(value, { minLength: 1, maxLength: 2 });

/** Makes the requests to an operation from what the document says of it. */
export const requestsTo = (operation: Operation): Requests => {
  const fitting = meantCallers(operation);
  const lines = operation.body?.types.includes('application/x-ndjson') === true;
  const parts = {
    kind: fc.constant('request' as const),
    operation: fc.constant(operation.id),
    caller: fitting,
    place: newest(4),
    strays: fc.constant([] as Request['strays']),
    words: wordsOf(operation),
    query: queryOf(operation),
    headers: headersOf(operation),
    body: bodyOf(operation),
    manner: (lines ? fc.constantFrom('json', 'lines') : fc.constant('json')) as fc.Arbitrary<Manner>,
    faults: fc.constant([] as Request['faults']),
  };
  const pairs = fc.tuple(parts.headers, either(ODD_HEADERS)).map(([usual, odd]) => [...usual, ...odd]);
  const queries = fc.tuple(parts.query, either(ODD_QUERIES)).map(([usual, odd]) => [...usual, ...odd]);
  const others = fc.constantFrom(...CALLERS);
  const oneWrong: readonly Partial<typeof parts>[] = [
    { caller: others },
    { headers: pairs },
    { query: queries },
    ...(operation.path.includes('{') ? [{ strays: either(strays) }, { place: fc.nat(40) }] : []),
    ...(operation.body === null
      ? []
      : [{ faults: either(faults) }, { faults: either(faults) }, { manner: fc.constantFrom(...MANNERS) }]),
  ];
  const valid = fc.record(parts);
  const wild = fc.record({
    ...parts,
    caller: others,
    place: fc.nat(40),
    strays: fc.array(strays, { maxLength: 1 }),
    query: queries,
    headers: pairs,
    body: fc.oneof(parts.body, fc.jsonValue() as fc.Arbitrary<Template>),
    manner: fc.constantFrom(...MANNERS),
    faults: fc.array(faults, { maxLength: 3 }),
  });
  const near = fc.oneof(...oneWrong.map((wrong) => fc.record({ ...parts, ...wrong })));
  const any = fc.oneof(
    { weight: 12, arbitrary: valid },
    { weight: 6, arbitrary: near },
    { weight: 1, arbitrary: wild },
  );
  return { valid, any };
};
