import { parse } from 'yaml';

/** The shell script that a system makes of its file, in the order of its steps. */
type ReadScript = (text: string) => string;

type Step = Readonly<Record<string, unknown>>;
const stepsIn = (steps: unknown): readonly Step[] => (Array.isArray(steps) ? steps : []);
const joined = (lines: readonly unknown[]): string => lines.map(String).join('\n');

const inGroovy = /^\s*sh (?:'''\n([\s\S]*?)\n\s*'''|'((?:[^'\\]|\\.)*)')$/gm;
const INDENT = /^ +(?=\S)/;
/** Lines without the spaces that the first one begins with. */
const dedented = (text: string): string =>
  text.replaceAll(`\n${INDENT.exec(text)?.[0] ?? ''}`, '\n').replace(INDENT, '');

/** By system; Buildkite's agent turns `$$` into `$` when it uploads the file. */
export const SCRIPTS: Readonly<Record<string, ReadScript>> = {
  github: (text) =>
    joined(stepsIn(parse(text).jobs.ship.steps).flatMap(({ run }) => (typeof run === 'string' ? [run] : []))),
  gitlab: (text) => {
    const document = parse(text);
    return joined([...document['shipworthy-tests'].script, ...document['shipworthy-deploy'].script]);
  },
  buildkite: (text) => joined(stepsIn(parse(text).steps).map(({ command }) => command)).replaceAll('$$', '$'),
  circleci: (text) =>
    joined(
      stepsIn(parse(text).jobs.ship.steps).flatMap((step) =>
        typeof step === 'object' ? [(step.run as Step).command] : [],
      ),
    ),
  jenkins: (text) =>
    joined(
      [...text.matchAll(inGroovy)].map(([, lines, quoted = '']) =>
        (lines === undefined ? quoted : dedented(lines)).replace(/\\(.)/g, '$1'),
      ),
    ),
  azure: (text) =>
    joined(stepsIn(parse(text).steps).flatMap(({ script }) => (typeof script === 'string' ? [script] : []))),
  bitbucket: (text) => {
    const [{ step: first }, { step: second }] = parse(text).pipelines.branches.main;
    return joined([...first.script, ...second.script]);
  },
};
