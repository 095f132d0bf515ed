// Packs what is published into packed/, for the registry (npm publish packed/<file>) or for machines that install from files.
// Usage: npm run pack [-- folder]; then npm install --save-dev packed/shipworthy-cli-<version>.tgz where the command is wanted.
// A tarball holds what users get and nothing else: exports for our own tests, scripts and tools of the workspace stay here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, 'packed'));

/** Whether the file that an export leads to is among those that are packed. */
const isPacked = (target, files) =>
  target === './package.json' || files.some((path) => target === `./${path}` || target.startsWith(`./${path}/`));

/** The manifest that users get. */
const publicManifest = ({ scripts: _, devDependencies: __, ...manifest }) => ({
  ...manifest,
  exports: Object.fromEntries(
    Object.entries(manifest.exports).filter(([, target]) => isPacked(target.default ?? target, manifest.files)),
  ),
});

const pack = (home, manifest) => {
  const staged = mkdtempSync(join(tmpdir(), 'shipworthy-pack-'));
  try {
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(publicManifest(manifest), null, 2)}\n`);
    for (const path of manifest.files) cpSync(join(home, path), join(staged, path), { recursive: true });
    cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
    cpSync(join(home, 'README.md'), join(staged, 'README.md'));
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    execFileSync('npm', args, { cwd: staged, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
};

execFileSync(process.execPath, [join(root, 'scripts', 'prepare.mjs')], { stdio: ['ignore', 2, 2] });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const manifests = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .filter((home) => existsSync(join(home, 'package.json')))
  .map((home) => [home, JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))])
  .filter(([, manifest]) => !manifest.private);
for (const [home, manifest] of manifests) pack(home, manifest);
for (const file of readdirSync(folder)) process.stdout.write(`${join(folder, file)}\n`);
if (manifests.some(([, { repository }]) => repository === undefined))
  process.stderr.write(
    'No repository is named in the manifests: set "repository" before you publish with provenance, which the registry compares with it.\n',
  );
