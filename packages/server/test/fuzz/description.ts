import type { Schema } from '@shipworthy/client/contract';

/** A part of the document that may be a reference to another part. */
export type Refined<Part> = Part | { readonly $ref: string };
type Media = Readonly<Record<string, { readonly schema: Refined<Schema> }>>;

interface WrittenParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Refined<Schema>;
}
interface WrittenAnswer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;
}
interface WrittenOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Refined<WrittenParameter>[];
  readonly requestBody?: { readonly required: boolean; readonly content: Media };
  readonly responses: Readonly<Record<string, Refined<WrittenAnswer>>>;
}

/** The OpenAPI document as it is served, so far as it is used here. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
}

/** What the document says of one answer. */
export interface Described {
  /** Its place in the document, as a JSON pointer. */
  readonly pointer: string;
  /** Names of the headers, in lower case. */
  readonly headers: readonly string[];
  /** The media type of its body; null: it has none. */
  readonly type: string | null;
  /** Names of the problems it may be. */
  readonly problems: readonly string[];
}

/** What is given beside the body. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One operation of the document, with nothing left to be looked up. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Which callers may: anyone; a session only; also a key that may read, or write. */
  readonly by: 'anybody' | 'session' | 'reading' | 'writing';
  readonly parameters: readonly Parameter[];
  readonly body: {
    readonly required: boolean;
    readonly types: readonly string[];
    readonly schema: Schema;
    readonly pointer: string;
  } | null;
  readonly answers: Readonly<Record<string, Described>>;
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const pointerOf = (...names: readonly string[]): string => `#/${names.map(escaped).join('/')}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const partAt = (document: OpenApi, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);

/** The part with every reference in it replaced by what it refers to. */
const whole = (document: OpenApi, part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((each) => whole(document, each));
  if (!isObject(part)) return part;
  if (typeof part.$ref === 'string') return whole(document, partAt(document, part.$ref));
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, whole(document, each)]));
};

const callers = ({ security }: WrittenOperation): Operation['by'] => {
  if (security.length === 0) return 'anybody';
  const [scopes] = security.flatMap(({ apiKey }) => (Array.isArray(apiKey) ? [apiKey] : []));
  if (scopes === undefined) return 'session';
  return scopes.some((scope) => String(scope).endsWith(':write')) ? 'writing' : 'reading';
};

/** Reads the operations out of the document. */
export const operationsIn = (document: OpenApi): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]): Operation => {
      const at = (...names: readonly string[]) => pointerOf('paths', path, method, ...names);
      const parameters = whole(document, written.parameters) as Operation['parameters'];
      const media = written.requestBody?.content ?? {};
      const schema = whole(document, media['application/json']?.schema) as Schema;
      const answers = Object.entries(written.responses).map(([status, answer]): [string, Described] => {
        const pointer = '$ref' in answer ? answer.$ref : at('responses', status);
        const { headers, content = {} } = whole(document, answer) as WrittenAnswer;
        const [type = null] = Object.keys(content);
        const problems = type === null ? [] : Object.keys(content[type]?.examples ?? {});
        return [status, { pointer, headers: Object.keys(headers).map((name) => name.toLowerCase()), type, problems }];
      });
      return {
        id: written.operationId,
        method: method.toUpperCase(),
        path,
        by: callers(written),
        parameters,
        body:
          written.requestBody === undefined
            ? null
            : {
                required: written.requestBody.required,
                types: Object.keys(media),
                schema,
                pointer: at('requestBody', 'content', 'application/json', 'schema'),
              },
        answers: Object.fromEntries(answers),
      };
    }),
  );

/** The pointer of the schema of an answer's body. */
export const schemaPointer = ({ pointer, type }: Described): string =>
  `${pointer}/${['content', type ?? '', 'schema'].map(escaped).join('/')}`;
