// Writes the version of lerna.json where lerna itself does not: into the root's own manifest and lock entry, the chart,
// the templates for CI systems and the pages about them. `lerna version` runs it. It reads the former version from the
// chart.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CHART = 'deploy/helm/shipworthy/Chart.yaml';
const TEXTS = [CHART, 'README.md', 'docs/how-to', 'integrations/gitlab/templates', 'integrations/snippets'];
/** Files and folders that are left as they are: npm's own, tests, and build output. */
const LEFT_OUT = ['package.json', 'node_modules', 'dist', 'test'];

const read = (path) => readFileSync(join(root, path), 'utf8');
const filesIn = (path) => {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => !LEFT_OUT.includes(name));
  return names.flatMap((name) => filesIn(`${path}/${name}`));
};

const { version } = JSON.parse(read('lerna.json'));
const [, before] = /^version: (\S+)$/m.exec(read(CHART)) ?? [];
if (before === undefined) throw new Error(`${CHART} names no version.`);
const named = new RegExp(`(?<![\\d.])${before.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`, 'g');
for (const path of TEXTS.filter((name) => existsSync(join(root, name))).flatMap(filesIn)) {
  const text = read(path);
  const written = text.replace(named, () => version);
  if (written !== text) writeFileSync(join(root, path), written);
}

/** Writes JSON as npm does. */
const change = (path, edit) => {
  const value = JSON.parse(read(path));
  edit(value);
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
};
change('package.json', (manifest) => {
  manifest.version = version;
});
change('package-lock.json', (lock) => {
  lock.version = version;
  lock.packages[''].version = version;
});
