// Packs the command and the action as they are built now into packages/cli/test/pinned, where the tests run them against every
// later server. Usage: node scripts/pack-pinned.mjs [--again]; without --again it keeps what is packed there already.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pinned = join(root, 'packages', 'cli', 'test', 'pinned');
const list = join(pinned, 'packed.json');
const action = join(root, 'integrations', 'github-action');

if (existsSync(list) && !process.argv.includes('--again')) {
  process.stderr.write('A build is packed already, and is kept: give --again to replace it by this one.\n');
  process.exit(1);
}

const run = (script) => execFileSync(process.execPath, [join(root, 'scripts', script)], { stdio: ['ignore', 2, 2] });

/** Packs a folder as it is; returns the path of the tarball. npm writes the same bytes for the same files. */
const pack = (folder) => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', pinned];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }));
  return join(pinned, filename);
};

/** Whether the action's steps load a file. The server for coding agents and proxy support are in the command's. */
const isLoaded = (name) => !/^(serve|undici)-/.test(name);

const packAction = () => {
  const staged = mkdtempSync(join(tmpdir(), 'shipworthy-action-'));
  try {
    const { name, version, description, license, type } = JSON.parse(
      readFileSync(join(action, 'package.json'), 'utf8'),
    );
    const manifest = { name, version, description, license, type, files: ['action.yml', 'dist'] };
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(action, 'action.yml'), join(staged, 'action.yml'));
    const bundle = join('dist', 'bundle');
    mkdirSync(join(staged, bundle), { recursive: true });
    for (const file of readdirSync(join(action, bundle)).filter(isLoaded))
      cpSync(join(action, bundle, file), join(staged, bundle, file));
    return pack(staged);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
};

run('prepare.mjs');
run('bundle-action.mjs');
for (const name of readdirSync(pinned)) if (name.endsWith('.tgz')) rmSync(join(pinned, name));
const tarballs = { command: pack(join(root, 'packages', 'cli')), action: packAction() };
const { version } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'));
const described = Object.entries(tarballs).map(([what, path]) => {
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return [what, { file: basename(path), bytes: bytes.length, sha256 }];
});
writeFileSync(list, `${JSON.stringify({ version, ...Object.fromEntries(described) }, null, 2)}\n`);
process.stderr.write(readFileSync(list, 'utf8'));
