// Makes one bundle of the command and all it needs, so that its package installs alone: packages/cli/dist/bundle, from
// the compiled source. Keeps a fresh bundle, unless forced.
// Usage: node scripts/bundle-cli.mjs [--force]; sizes are printed on stderr.
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForNode, writeBundle } from './bundle-for-node.mjs';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = join(root, 'packages', 'cli');
const folder = join(cli, 'dist', 'bundle');
const stateFile = join(cli, 'dist', 'bundle.json');
const MADE_BY = [
  self,
  ...['bundle-for-node', 'third-party-notices'].map((name) => join(dirname(self), `${name}.mjs`)),
  join(cli, 'package.json'),
];

const stampOf = (path) => {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs} ${size}`;
};

/** Whether every file the bundle was made of, and the bundle itself, is as it was left. */
const isFresh = () => {
  if (!existsSync(stateFile)) return false;
  const { files } = JSON.parse(readFileSync(stateFile, 'utf8'));
  return Object.entries(files).every(([path, stamp]) => {
    const file = join(root, path);
    return existsSync(file) && stampOf(file) === stamp;
  });
};

/** Builds the bundle unless it is fresh; resolves with whether it did. */
export const bundleCli = async ({ force = false } = {}) => {
  if (!force && isFresh()) return false;
  const entryPoints = [join(cli, 'dist', 'src', 'main.js')];
  const { outputs, metafile } = await bundleForNode(root, { entryPoints, folder });
  writeBundle(folder, outputs);
  chmodSync(join(folder, 'main.js'), 0o755);
  const made = [...MADE_BY, ...Object.keys(metafile.inputs).map((path) => join(root, path))];
  const files = [...made, ...outputs.map(({ path }) => path)].map((path) => [relative(root, path), stampOf(path)]);
  writeFileSync(stateFile, JSON.stringify({ files: Object.fromEntries(files) }));
  return true;
};

if (process.argv[1] === self && (await bundleCli({ force: process.argv.includes('--force') }))) {
  const sizes = readdirSync(folder).map((name) => [statSync(join(folder, name)).size, name]);
  for (const [size, name] of sizes.sort(([a], [b]) => b - a)) process.stderr.write(`${size}\t${name}\n`);
}
