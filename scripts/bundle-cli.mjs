// Makes one bundle of the command and all it needs, so that its package installs alone: packages/cli/dist/bundle, from the
// compiled source. A fresh bundle costs some ms. Usage: node scripts/bundle-cli.mjs [--force]; sizes are printed on stderr.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticesOf } from './third-party-notices.mjs';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const cli = join(root, 'packages', 'cli');
const folder = join(cli, 'dist', 'bundle');
const stateFile = join(cli, 'dist', 'bundle.json');
const MADE_BY = [self, join(dirname(self), 'third-party-notices.mjs'), join(cli, 'package.json')];
// Parts that are CommonJS ask for Node's own modules by `require`, which an ES module does not have.
const BANNER =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);";

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

const write = (outputs) => {
  mkdirSync(folder, { recursive: true });
  // The entry last: a command that starts meanwhile finds the parts it names.
  const inOrder = [...outputs].sort(
    (a, b) => Number(a.path.endsWith('/main.js')) - Number(b.path.endsWith('/main.js')),
  );
  for (const { path, contents } of inOrder) writeFileSync(path, contents);
  chmodSync(join(folder, 'main.js'), 0o755);
  const kept = new Set(outputs.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
};

/** Builds the bundle unless it is fresh; answers whether it did. */
export const bundleCli = async ({ force = false } = {}) => {
  if (!force && isFresh()) return false;
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(cli, 'dist', 'src', 'main.js')],
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: BANNER },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const notices = { path: join(folder, 'THIRD-PARTY-LICENSES.txt'), contents: noticesOf(root, metafile) };
  const outputs = [...outputFiles, notices];
  write(outputs);
  const made = [...MADE_BY, ...Object.keys(metafile.inputs).map((path) => join(root, path))];
  const files = [...made, ...outputs.map(({ path }) => path)].map((path) => [relative(root, path), stampOf(path)]);
  writeFileSync(stateFile, JSON.stringify({ files: Object.fromEntries(files) }));
  return true;
};

if (process.argv[1] === self && (await bundleCli({ force: process.argv.includes('--force') }))) {
  const sizes = readdirSync(folder).map((name) => [statSync(join(folder, name)).size, name]);
  for (const [size, name] of sizes.sort(([a], [b]) => b - a)) process.stderr.write(`${size}\t${name}\n`);
}
