import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PACKAGES = ['domain', 'adapters', 'client', 'server'];
const OURS = '@shipworthy';
/** Runs of a property per mutant, at most: thousands of mutants leave no time for thousands of runs each. */
const MOST_RUNS = 100;

const linkInstalled = (from, to) => {
  fs.mkdirSync(to);
  for (const name of fs.readdirSync(from))
    if (name !== OURS) fs.symlinkSync(join(from, name), join(to, name), 'junction');
};

const copyPackage = (tree, name) => {
  const [from, to] = [root, tree].map((place) => join(place, 'packages', name));
  fs.cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  fs.copyFileSync(join(from, 'package.json'), join(to, 'package.json'));
  if (fs.existsSync(join(from, 'node_modules'))) linkInstalled(join(from, 'node_modules'), join(to, 'node_modules'));
  fs.symlinkSync(to, join(tree, 'node_modules', OURS, name), 'junction');
};

const shorten = (_, runs) => `numRuns: ${Math.min(MOST_RUNS, Number(runs.replaceAll('_', '')))}`;

const shortenProperties = (file) => {
  const text = fs.readFileSync(file, 'utf8');
  const shorter = text.replace(/\bnumRuns: ([\d_]+)/g, shorten);
  if (shorter !== text) fs.writeFileSync(file, shorter);
};

/** The compiled files of a package whose source still exists, as paths below the tree. */
const compiledIn = (tree, name, room) => {
  const sources = join(root, 'packages', name, room);
  if (!fs.existsSync(sources)) return [];
  return fs
    .readdirSync(sources, { recursive: true })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((path) => join('packages', name, 'dist', room, path.replace(/\.tsx?$/, '.js')))
    .filter((path) => fs.existsSync(join(tree, path)))
    .sort();
};

/**
 * A copy of what was compiled, below the system's temporary folder: it can be mutated in place, and a run that is cut
 * off leaves the checkout as it was. Its packages find each other in the copy, all else where it is installed.
 */
export const copyTree = () => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'shipworthy-mutation-')));
  linkInstalled(join(root, 'node_modules'), join(folder, 'node_modules'));
  fs.mkdirSync(join(folder, 'node_modules', OURS));
  for (const name of PACKAGES) copyPackage(folder, name);
  const sources = PACKAGES.flatMap((name) => compiledIn(folder, name, 'src'));
  const tests = PACKAGES.flatMap((name) => compiledIn(folder, name, 'test'));
  for (const path of tests) shortenProperties(join(folder, path));
  return { folder, sources, tests, remove: () => fs.rmSync(folder, { recursive: true }) };
};
