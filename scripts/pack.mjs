// Packs what is published into packed/, for machines that install from files instead of a registry.
// Usage: npm run pack; then npm install --save-dev packed/shipworthy-cli-<version>.tgz where the command is wanted.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'packed');

execFileSync(process.execPath, [join(root, 'scripts', 'prepare.mjs')], { stdio: ['ignore', 2, 2] });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const name of readdirSync(join(root, 'packages'))) {
  const home = join(root, 'packages', name);
  if (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).private) continue;
  // Everything is built by now, so no package builds itself again.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { cwd: home, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
}
for (const file of readdirSync(folder)) process.stdout.write(`${join('packed', file)}\n`);
