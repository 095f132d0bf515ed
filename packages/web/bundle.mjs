// Makes the application's files: one script, one style sheet, the page that loads them, and what must be known of their
// names and sizes. Usage: node packages/web/bundle.mjs. Fails when a budget is exceeded.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const target = join(folder, 'dist', 'bundle');
/** Gzipped bytes. */
const BUDGETS = { '.js': 60 * 1024, '.css': 12 * 1024 };

const page = (first, script, style) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Shipworthy</title>
<script src="/${first}"></script>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
</head>
<body><noscript>Shipworthy needs JavaScript in this browser.</noscript></body>
</html>
`;

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const options = {
  bundle: true,
  minify: true,
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  entryNames: 'assets/[name]-[hash]',
  outdir: target,
  write: false,
  legalComments: 'none',
  logLevel: 'warning',
};
const built = await Promise.all([
  build({ ...options, entryPoints: [join(folder, 'src', 'main.tsx')], format: 'esm' }),
  // Blocks the first paint, and so is small and no module.
  build({ ...options, entryPoints: [join(folder, 'src', 'scheme', 'first-paint.ts')], format: 'iife' }),
]);
const outputFiles = built.flatMap((each) => each.outputFiles);

const names = {};
const sizes = { '.js': 0, '.css': 0 };
let tooLarge = false;
for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
  const name = path.slice(target.length + 1).replaceAll('\\', '/');
  const kind = name.slice(name.lastIndexOf('.'));
  names[name.replace(/-\w+\./, '.')] = name;
  sizes[kind] += gzipSync(contents, { level: 9 }).length;
}
for (const [kind, budget] of Object.entries(BUDGETS)) {
  process.stderr.write(`web ${kind.slice(1)}: ${(sizes[kind] / 1024).toFixed(1)} kB gzipped of ${budget / 1024} kB\n`);
  tooLarge ||= sizes[kind] > budget;
}
const { 'assets/first-paint.js': first, 'assets/main.js': script, 'assets/main.css': style } = names;
await writeFile(join(target, 'index.html'), page(first, script, style));
await writeFile(join(target, 'icon.svg'), await readFile(join(folder, 'src', 'icon.svg')));
if (tooLarge) {
  process.stderr.write('web: a budget is exceeded.\n');
  process.exitCode = 1;
}
