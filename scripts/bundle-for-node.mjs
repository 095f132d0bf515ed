// One bundle of programs that Node runs and of all they need, with the licences of what it took in; nothing is written.
import { join } from 'node:path';
import { noticesOf } from './third-party-notices.mjs';

// Parts that are CommonJS ask for Node's own modules by `require`, which an ES module does not have.
const BANNER =
  "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);";

/** The files of the bundle, each with its path and contents, and esbuild's metafile; `more` are further options of esbuild. */
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
  const notices = { path: join(folder, 'THIRD-PARTY-LICENSES.txt'), contents: noticesOf(root, metafile) };
  return { outputs: [...outputFiles, notices], metafile };
};
