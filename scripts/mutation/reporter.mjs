import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
const shown = (text) => (text.length > 90 ? `${text.slice(0, 87)}...` : text);

const between = (text, { start, end }) => {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
};

const texts = new Map();

/** Keeps the text of these files before they are instrumented. */
export const rememberTexts = (paths) => {
  for (const path of paths) texts.set(path, readFileSync(path, 'utf8'));
};

/** One line about a mutant: its place in the TypeScript source, the former text and its replacement. */
const described = ({ fileName, location, mutatorName, replacement, status }) => {
  const path = relative(process.cwd(), fileName);
  const map = new SourceMap(JSON.parse(readFileSync(`${fileName}.map`, 'utf8')));
  const { originalLine = 0 } = map.findEntry(location.start.line - 1, location.start.column - 1);
  const stood = shown(oneLine(between(texts.get(path) ?? '', location)));
  const source = path.replace(/[/\\]dist[/\\]src[/\\]/, '/src/').replace(/\.js$/, '.ts');
  return `${source}:${originalLine + 1} ${status} ${mutatorName}: ${stood} -> ${shown(oneLine(replacement ?? ''))}`;
};

const STEPS = 10;
let planned = 0;
let tested = 0;

const reporter = {
  onMutationTestingPlanReady: ({ mutantPlans }) => {
    [planned, tested] = [mutantPlans.length, 0];
    const alone = mutantPlans.filter(({ runOptions }) => runOptions?.reloadEnvironment).length;
    process.stdout.write(`${planned} mutants, ${alone} of them reached while modules are loaded\n`);
  },
  onMutantTested: (result) => {
    tested += 1;
    if (result.status !== 'Killed') process.stdout.write(`${described(result)}\n`);
    const step = (count) => Math.floor((STEPS * count) / planned);
    if (step(tested) > step(tested - 1)) process.stdout.write(`${tested} of ${planned} tried\n`);
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, 'house', reporter)];
