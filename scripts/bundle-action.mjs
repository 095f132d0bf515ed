// Bundles the GitHub Action into integrations/github-action/dist/bundle, from the compiled source: what a release puts into the
// tag that workflows name. Usage: node scripts/bundle-action.mjs; sizes are printed on stderr.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForNode, writeBundle } from './bundle-for-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const action = join(root, 'integrations', 'github-action');
const folder = join(action, 'dist', 'bundle');

/** Leaves out the toolkit's HTTP client: it only serves identity tokens, which the action does not use. */
const withoutUnusedClient = {
  name: 'without-unused-client',
  setup: ({ onResolve, resolve }) => {
    onResolve(
      { filter: /^(@actions\/(http-client|exec)|\.\/oidc-utils\.js)/ },
      async ({ path, pluginData, ...from }) => {
        if (pluginData === 'asked') return undefined;
        const { importer, resolveDir, kind } = from;
        const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'asked' });
        return { ...found, sideEffects: false };
      },
    );
  },
};

const { outputs } = await bundleForNode(root, {
  entryPoints: ['main', 'post'].map((name) => join(action, 'dist', 'src', `${name}.js`)),
  folder,
  outExtension: { '.js': '.mjs' },
  plugins: [withoutUnusedClient],
});
writeBundle(folder, outputs);
for (const name of readdirSync(folder)) process.stderr.write(`${statSync(join(folder, name)).size}\t${name}\n`);
