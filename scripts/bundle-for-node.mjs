// Bundles programs for Node with all they need, and with the licences of the packages in the bundle.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputsOf, noticesOf } from './third-party-notices.mjs';

// Parts that are CommonJS ask for Node's own modules by `require`, which an ES module does not have.
const BANNER =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);";

/**
 * Returns the files of the bundle, each with path and contents, and esbuild's metafile; writes none of them. `more`:
 * further options of esbuild.
 */
export const bundleForNode = async (root, { entryPoints, folder, ...more }) => {
  // Loaded here, since a build that finds its bundle fresh does not need it.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
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
    ...more,
  });
  const notices = { path: join(folder, 'THIRD-PARTY-LICENSES.txt'), contents: noticesOf(root, inputsOf(metafile)) };
  return { outputs: [...outputFiles, notices], metafile };
};

/**
 * Writes the files of a bundle and removes all others of its folder. Unchanged files stay; others are replaced as a
 * whole, programs after their parts: other processes may run from the bundle, or write the same one, at the same time.
 */
export const writeBundle = (folder, outputs) => {
  mkdirSync(folder, { recursive: true });
  const isProgram = ({ path }) => /^(main|post)\./.test(basename(path));
  for (const { path, contents } of [...outputs].sort((a, b) => Number(isProgram(a)) - Number(isProgram(b)))) {
    const bytes = Buffer.from(contents);
    if (existsSync(path) && bytes.equals(readFileSync(path))) continue;
    const unfinished = `${folder}-${process.pid}-${basename(path)}`;
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, path);
  }
  const kept = new Set(outputs.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
};
