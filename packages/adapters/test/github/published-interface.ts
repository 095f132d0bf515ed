import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { asJsonSchema, isNode, type Node } from './published-schema-text.js';

/** GitHub's own description of its REST interface. Read once, about 0.1 s; validators are made for what is asked only. */
const file = new URL('generated/api.github.com.json', import.meta.resolve('@octokit/openapi'));
let read: Node | undefined;
const description = (): Node => {
  read ??= JSON.parse(readFileSync(file, 'utf8')) as Node;
  return read;
};

const at = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, key) => {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isNode(node) || !(name in node)) throw new Error(`the description has no ${pointer}`);
      return node[name];
    }, description());

const resolved = (value: unknown): Node => {
  const node = isNode(value) && typeof value.$ref === 'string' ? at(value.$ref) : value;
  if (!isNode(node)) throw new Error('the description has something else than an object here');
  return node;
};

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
for (const format of ['repo.nwo', 'uri-template', 'email', 'date', 'timestamp', 'binary', 'int32', 'int64', 'double']) {
  ajv.addFormat(format, true);
}

const validators = new Map<unknown, ValidateFunction>();
const validatorOf = (schema: unknown): ValidateFunction => {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const definitions = new Map<string, unknown>();
  const refer = (reference: string): string => {
    const name = reference.replace(/^.*\//, '');
    if (!definitions.has(name)) {
      // Reserved before it is filled: definitions refer to themselves.
      definitions.set(name, true);
      definitions.set(name, asJsonSchema(at(reference), refer));
    }
    return name;
  };
  const root = asJsonSchema(schema, refer);
  const validator = ajv.compile({ allOf: [root], $defs: Object.fromEntries(definitions) });
  validators.set(schema, validator);
  return validator;
};

const hold = (schema: unknown, value: unknown, what: string): void => {
  const validator = validatorOf(schema);
  if (validator(value)) return;
  const [fault] = validator.errors ?? [];
  throw new Error(
    `${what} is not as published: ${fault?.instancePath} ${fault?.message} ${JSON.stringify(fault?.params)}`,
  );
};

/** The template of a path, the one with the fewest places first. */
const templateOf = (path: string): string => {
  const parts = path.split('/');
  const fits = Object.keys(resolved(at('#/paths'))).filter((template) => {
    const places = template.split('/');
    return places.length === parts.length && places.every((place, i) => /^\{.*\}$/.test(place) || place === parts[i]);
  });
  const placesIn = (template: string): number => template.split('{').length;
  const [template] = fits.sort((one, other) => placesIn(one) - placesIn(other));
  if (template === undefined) throw new Error(`GitHub publishes no ${path}`);
  return template;
};

const operationOf = (method: string, path: string): Node => {
  const methods = resolved(resolved(at('#/paths'))[templateOf(path)]);
  if (!isNode(methods[method.toLowerCase()])) throw new Error(`GitHub publishes no ${method} ${path}`);
  return resolved(methods[method.toLowerCase()]);
};

const contentOf = (node: Node): Node => resolved(resolved(node.content)['application/json']);

/** The published example of a successful answer: a fresh copy. */
export const publishedExample = (method: string, path: string, status = 200): unknown => {
  const { examples } = contentOf(resolved(resolved(operationOf(method, path).responses)[status]));
  const [example] = Object.values(resolved(examples));
  return structuredClone(resolved(example).value);
};

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly requestBody?: unknown;
  readonly status: number;
  readonly body?: unknown;
}

/** Fails unless the request and its answer are as GitHub publishes them: path, every parameter, status, every field. */
export const conformsToInterface = ({ method, path, query = {}, requestBody, status, body }: Exchange): void => {
  const operation = operationOf(method, path);
  const parameters = (Array.isArray(operation.parameters) ? operation.parameters : []).map(resolved);
  for (const [name, value] of Object.entries(query)) {
    const parameter = parameters.find((known) => known.name === name && known.in === 'query');
    if (parameter === undefined) throw new Error(`${method} ${path} has no parameter ${name}`);
    const { type } = resolved(parameter.schema);
    const typed = type === 'integer' || type === 'boolean' ? (JSON.parse(value) as unknown) : value;
    hold(parameter.schema, typed, `${method} ${path}?${name}`);
  }
  if (operation.requestBody !== undefined)
    hold(contentOf(resolved(operation.requestBody)).schema, requestBody, `body of ${method} ${path}`);
  const response = resolved(operation.responses)[status];
  // Limits, refusals and faults of any operation are described in words only.
  if (response === undefined && (status === 304 || status === 401 || status === 403 || status === 429 || status >= 500))
    return;
  if (response === undefined) throw new Error(`${method} ${path} never answers ${status}`);
  const answer = resolved(response);
  if (answer.content !== undefined && status !== 304)
    hold(contentOf(answer).schema, body, `answer ${status} of ${method} ${path}`);
};
