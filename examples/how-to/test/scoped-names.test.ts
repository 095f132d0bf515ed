import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './documents.js';

// Anyone may register a name without a scope. A pipeline that runs such a package gives its key to a stranger.
const UNSCOPED = 'shipworthy';
const RUNNER =
  'npx|bunx|pnpx|npm\\s+(?:exec|x|install|i|add)|yarn(?:\\s+global)?(?:\\s+(?:add|dlx|exec))?|pnpm(?:\\s+(?:add|dlx|exec|install|i))?|bun\\s+(?:x|add|install|i)';
const RUNS = new RegExp(
  `\\b(?:${RUNNER})((?:\\s+(?:args\\s*[:=]|-\\S*))*?)\\s+(?:--package=|--package\\s+|-p\\s+)?${UNSCOPED}(?![\\w/-]|\\.\\w)`,
  'g',
);
// What npm is told to install, in any place of a text.
const SPECIFIER = new RegExp(`(?<![\\w:/@.%-])${UNSCOPED}@(?=[\\d$v{<^~*]|latest|next)`, 'g');
const DEPENDENCY = new RegExp(`"${UNSCOPED}"\\s*:\\s*"[\\^~\\d*]`, 'g');
// With a package of its own named, the word after it is a command in that package.
const NAMES_PACKAGE = /(?:--package=?|-p)\s*@shipworthy\//;

/** Where a text has the unscoped name fetched from a registry; lists of arguments are read as command lines. */
const unscopedRuns = (text: string): readonly string[] => {
  const plain = text.replace(/\\\r?\n/g, ' ').replace(/["'`,[\]()\\]/g, ' ');
  return [
    ...[...plain.matchAll(RUNS)].filter(([, between = '']) => !NAMES_PACKAGE.test(between)).map(([run]) => run),
    ...[...text.matchAll(SPECIFIER), ...text.matchAll(DEPENDENCY)].map(([found]) => found),
  ];
};

const NOT_OURS = new Set(['.git', '.nx', 'node_modules', 'dist', 'data', 'coverage', 'packed']);
const BINARY = /\.(tgz|png|gz|ico|woff2?|pdf|gguf|zip|db|sqlite)$/;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() && !BINARY.test(entry.name) ? [path] : [];
  });

describe('the name of the command on the registry', () => {
  for (const run of [
    `npx ${UNSCOPED} gate`,
    `npx --yes ${UNSCOPED}@0.1.0 gate`,
    `npx --yes \\\n  ${UNSCOPED} gate`,
    `npx --package=${UNSCOPED} ${UNSCOPED} gate`,
    `npx -p ${UNSCOPED} ${UNSCOPED} gate`,
    `npm exec -- ${UNSCOPED} gate`,
    `npm install --global ${UNSCOPED}`,
    `npm i -D ${UNSCOPED}@latest`,
    `yarn dlx ${UNSCOPED} gate`,
    `yarn global add ${UNSCOPED}`,
    `pnpm dlx ${UNSCOPED} gate`,
    `pnpm add ${UNSCOPED}`,
    `"command": "npx", "args": ["--yes", "${UNSCOPED}", "mcp"]`,
    `PACKAGE: ${UNSCOPED}@$[[ inputs.version ]]`,
    `"${UNSCOPED}": "^0.1.0"`,
  ])
    it(`is missing from: ${run.replaceAll('\n', ' ')}`, () => {
      expect(unscopedRuns(run)).to.not.deep.equal([]);
    });

  for (const run of [
    `npx @shipworthy/cli gate`,
    `npx --yes @shipworthy/cli@0.1.0 gate`,
    `npx --yes --package=@shipworthy/cli ${UNSCOPED} gate`,
    `npx --yes --package="\${PACKAGE:?}" ${UNSCOPED} gate`,
    `npm install --global @shipworthy/cli`,
    `npm install packed/${UNSCOPED}-cli-0.1.0.tgz`,
    `${UNSCOPED} gate`,
  ])
    it(`has its scope in: ${run}`, () => {
      expect(unscopedRuns(run)).to.deep.equal([]);
    });

  it('has its scope in every file', () => {
    const files = filesBelow(root);
    expect(files).to.have.lengthOf.above(1000);
    const found = files.flatMap((file) => unscopedRuns(readFileSync(file, 'utf8')).map((run) => `${file}: ${run}`));
    expect(found).to.deep.equal([]);
  });
});
