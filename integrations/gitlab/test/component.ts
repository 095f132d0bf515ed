import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../templates/', import.meta.url));

/** What an input may be. */
export type InputValue = string | boolean | readonly unknown[];

interface Input {
  readonly default?: InputValue;
  readonly type?: 'string' | 'boolean' | 'array';
  readonly options?: readonly string[];
  readonly description?: string;
}

/** A job as GitLab makes it of a component and its inputs. */
export interface ComponentJob {
  readonly name: string;
  readonly stage: string;
  readonly image: string;
  readonly rules: readonly { readonly if: string }[];
  readonly variables: Readonly<Record<string, string | { readonly value: string; readonly expand: boolean }>>;
  readonly script: readonly string[];
  readonly artifacts?: { readonly when: string; readonly reports: { readonly dotenv: string } };
}

const read = (name: string): readonly [head: string, body: string] => {
  const [head = '', body = ''] = readFileSync(`${FOLDER}${name}/template.yml`, 'utf8').split(/^---\n/m);
  return [head, body];
};

/** The inputs that a component declares. */
export const inputsOf = (name: string): Readonly<Record<string, Input>> => parse(read(name)[0]).spec.inputs;

const chosen = (name: string, { default: fallback, options }: Input, given: InputValue | undefined): InputValue => {
  const value = given ?? fallback;
  if (value === undefined) throw new Error(`the input ${name} is missing`);
  if (options !== undefined && !options.includes(String(value))) throw new Error(`${name} is no option`);
  return value;
};

/** Puts the inputs into the text, as GitLab does before it reads the YAML, and answers the one job. */
export const component = (name: string, given: Readonly<Record<string, InputValue>>): ComponentJob => {
  const inputs = inputsOf(name);
  const unknown = Object.keys(given).filter((input) => !(input in inputs));
  if (unknown.length > 0) throw new Error(`${name} has no input ${unknown.join(', ')}`);
  const text = read(name)[1].replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, input: string) => {
    const declared = inputs[input];
    if (declared === undefined) throw new Error(`${name} does not declare ${input}`);
    const value = chosen(input, declared, given[input]);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  const [document] = parseAllDocuments(text, { strict: true, uniqueKeys: true });
  const jobs = Object.entries((document?.toJS() ?? {}) as Readonly<Record<string, Omit<ComponentJob, 'name'>>>);
  const [job] = jobs;
  if (job === undefined || jobs.length !== 1) throw new Error(`${name} makes ${jobs.length} jobs`);
  return { name: job[0], ...job[1] };
};

/** The variables of a job as its script sees them. */
export const variablesOf = ({ variables }: ComponentJob): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? value : value.value]),
  );
