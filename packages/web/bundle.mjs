// Makes the application's files: the script of the first screens and those of later ones, one style sheet, and the page; each
// also compressed, as it is sent to browsers, because that takes half a second which no start of a server should take.
// Usage: node packages/web/bundle.mjs. Fails when a budget is exceeded.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { inputsOf, noticesOf } from '../../scripts/third-party-notices.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(folder));
const target = join(folder, 'dist', 'bundle');
/** Gzipped bytes. */
const BUDGETS = { '.js': 60 * 1024, '.css': 12 * 1024 };

/** The server puts its base path in front of what begins with a slash here. */
const page = (first, script, style, font) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Shipworthy</title>
<meta name="shipworthy-base" content="/">
<script src="/${first}"></script>
<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
</head>
<body><noscript>Shipworthy needs JavaScript in this browser.</noscript></body>
</html>
`;

const cssFiles = async (below) =>
  (await readdir(below, { recursive: true }))
    .filter((name) => name.endsWith('.css') && !name.startsWith('style'))
    .sort();

const browsers = ['es2022', 'chrome123', 'firefox120', 'safari17.5'];
const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: browsers,
  outdir: target,
  write: false,
  legalComments: 'none',
  logLevel: 'warning',
};
/** Files that change their name with their content, as browsers keep them for ever. */
const lasting = 'assets/[name]-[hash]';

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const scripts = await rolldown({
  cwd: root,
  input: { main: join(folder, 'src', 'main.tsx') },
  platform: 'browser',
  transform: { target: browsers },
  // Styles are one sheet for all screens: a screen that comes later must not come without its style.
  moduleTypes: { '.css': 'empty' },
});
const { output } = await scripts.generate({
  minify: true,
  comments: false,
  entryFileNames: `${lasting}.js`,
  chunkFileNames: `${lasting}.js`,
});
await scripts.close();
// Blocks the first paint, and so is small and no module.
const scheme = await build({
  ...options,
  entryPoints: [join(folder, 'src', 'appearance', 'first-paint.ts')],
  format: 'iife',
  entryNames: lasting,
});
const sheets = ['style/index.css', ...(await cssFiles(join(folder, 'src')))];
const styles = await build({
  ...options,
  stdin: {
    contents: sheets.map((name) => `@import "./${name.replaceAll('\\', '/')}";`).join('\n'),
    resolveDir: join(folder, 'src'),
    loader: 'css',
  },
  entryNames: 'assets/main-[hash]',
  assetNames: lasting,
  loader: { '.woff2': 'file' },
  metafile: true,
});

const gzipped = (contents) => gzipSync(contents, { level: 9 });
const nameOf = ({ path }) => path.slice(target.length + 1).replaceAll('\\', '/');

/** Writes a file beside its compressed forms; fonts are compressed as they are. */
const write = async (name, contents) => {
  const path = join(target, name);
  await mkdir(dirname(path), { recursive: true });
  if (name.endsWith('.woff2')) return writeFile(path, contents);
  await writeFile(`${path}.br`, brotliCompressSync(contents));
  await writeFile(`${path}.gz`, gzipped(contents));
  await writeFile(path, contents);
};
for (const { fileName, code } of output) await write(fileName, code);
for (const file of [...scheme.outputFiles, ...styles.outputFiles]) await write(nameOf(file), file.contents);

const main = output.find(({ isEntry }) => isEntry);
// A second file would be one more request before anything is shown.
if (main.imports.length > 0) throw new Error(`The first screens load ${main.imports} besides their own file.`);
const style = styles.outputFiles.find((file) => /^assets\/main-/.test(nameOf(file)));
/** The font of nearly every text, asked for before the style sheet has come. */
const font = styles.outputFiles.find((file) => /figtree-latin-wght/.test(nameOf(file)));
const [first] = scheme.outputFiles;

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
const total = (texts) => texts.reduce((sum, text) => sum + gzipped(text).length, 0);
const sizes = { '.js': total([main.code, first.contents]), '.css': total([style.contents]) };
process.stderr.write(
  `web: ${kilobytes(sizes['.js'])} of script (budget ${kilobytes(BUDGETS['.js'])}; ${kilobytes(total(output.map(({ code }) => code)))} with every screen), ` +
    `${kilobytes(sizes['.css'])} of style (budget ${kilobytes(BUDGETS['.css'])}), gzipped\n`,
);
const modules = output
  .flatMap(({ modules: inside }) => Object.keys(inside))
  .map((path) => relative(root, path).replaceAll('\\', '/'));
await write('third-party-notices.txt', noticesOf(root, [...modules, ...inputsOf(styles.metafile)]));
/** The mark in the corner of the icon, which says of a release what its gate says: a tick, a bar, a question mark. */
const MARKS = {
  go: ['#137a3d', 'M13 17.5l2.5 2.5 5-5.5'],
  hold: ['#b3261e', 'M13 17.5h8'],
  unknown: ['#6b7280', 'M15 15.6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.2M17 20.8v.2'],
};
const icon = await readFile(join(folder, 'src', 'icon.svg'), 'utf8');
await write('icon.svg', icon);
for (const [decision, [colour, path]] of Object.entries(MARKS))
  await write(
    `icon-${decision}.svg`,
    icon.replace(
      '</svg>',
      `<circle cx="17" cy="18" r="6" fill="${colour}" stroke="none"/><path d="${path}" stroke="#fff"/></svg>`,
    ),
  );
// Last: by it others see whether the bundle is there and newer than the source.
await write('index.html', page(nameOf(first), main.fileName, nameOf(style), nameOf(font)));
if (Object.entries(sizes).some(([kind, size]) => size > BUDGETS[kind])) {
  process.stderr.write('web: a budget is exceeded.\n');
  process.exitCode = 1;
}
