// Measures how the sources are divided into files: node scripts/architecture/measure.mjs [COMMIT]
// Prints per package and in all: files, their lines without imports, blanks and comments, and the share of files that
// exactly one other source imports. Measures the checkout as it is, or the commit; judges nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutImports } from './source-file.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [commit] = process.argv.slice(2);
const git = (words, input) => execFileSync('git', words, { cwd: root, encoding: 'utf8', input, maxBuffer: 2 ** 28 });
const isSource = (path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts');

const listed =
  commit === undefined
    ? ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
    : ['ls-tree', '-r', '--name-only', commit];
const paths = git([...listed, 'packages'])
  .split('\n')
  .filter((path) => isSource(path) && (commit !== undefined || existsSync(join(root, path))));
const textsOf = () => {
  const contents = git(['cat-file', '--batch=%(objectsize)'], paths.map((path) => `${commit}:${path}\n`).join(''));
  let rest = Buffer.from(contents);
  return paths.map((path) => {
    const end = rest.indexOf('\n');
    const size = Number(rest.subarray(0, end).toString());
    const text = rest.subarray(end + 1, end + 1 + size).toString();
    rest = rest.subarray(end + size + 2);
    return [path, text];
  });
};
const sources = new Map(
  commit === undefined ? paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]) : textsOf(),
);

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const linesIn = (text) =>
  withoutImports(text)
    .replace(COMMENTS, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

const importers = new Map([...sources.keys()].map((path) => [path, new Set()]));
for (const [path, text] of sources)
  for (const [, from] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^'\n]+)'/g)) {
    const target = posix.join(posix.dirname(path), from).replace(/\.js$/, '');
    (importers.get(`${target}.ts`) ?? importers.get(`${target}.tsx`))?.add(path);
  }

const line = (name, files) => {
  const lines = files.reduce((sum, path) => sum + linesIn(sources.get(path)), 0);
  const single = files.filter((path) => importers.get(path).size === 1).length;
  const share = `${((100 * single) / files.length).toFixed(1)} %`;
  const cells = [name.padEnd(14), String(files.length).padStart(6), String(lines).padStart(8), share.padStart(15)];
  process.stdout.write(`${cells.join('')}\n`);
};
process.stdout.write(
  `${'package'.padEnd(14)}${'files'.padStart(6)}${'lines'.padStart(8)}${'one importer'.padStart(15)}\n`,
);
const packs = new Set(paths.map((path) => path.split('/')[1]));
for (const pack of packs)
  line(
    pack,
    paths.filter((path) => path.startsWith(`packages/${pack}/`)),
  );
line('all', paths);
