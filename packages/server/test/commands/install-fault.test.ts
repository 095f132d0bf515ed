import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPTS = fileURLToPath(new URL('../../../../../scripts/', import.meta.url));
const AWAY = 'http://127.0.0.1:9';

/** A checkout that needs one package, whose first start has to install it. */
describe('npm start where it cannot install', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ship worthy-'));
    await mkdir(join(folder, 'scripts'));
    for (const name of ['prepare', 'install-fault', 'locked-packages'])
      await cp(join(SCRIPTS, `${name}.mjs`), join(folder, 'scripts', `${name}.mjs`));
  });
  afterEach(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true, force: true });
  });

  const needs = async (name: string, resolved: string) => {
    const manifest = { name: 'checkout', version: '1.0.0', private: true, dependencies: { [name]: resolved } };
    const entry = resolved.startsWith('file:')
      ? { resolved: resolved.slice('file:'.length), link: true }
      : { version: '1.0.0', resolved: `${AWAY}/${name}/-/${name}-1.0.0.tgz` };
    const packages = {
      '': manifest,
      [`node_modules/${name}`]: entry,
      ...(resolved.startsWith('file:') && { [name]: { version: '1.0.0', hasInstallScript: true } }),
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(
      join(folder, 'package-lock.json'),
      JSON.stringify({ name: 'checkout', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
    );
  };

  /** The last line of what it says. */
  const said = (
    more: Readonly<Record<string, string>> = {},
    as: { readonly uid?: number; readonly gid?: number } = {},
  ) => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') },
      ...{ npm_config_registry: AWAY, npm_config_fetch_retries: '0', npm_config_update_notifier: 'false', ...more },
    };
    const program = join(folder, 'scripts', 'prepare.mjs');
    const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, env, encoding: 'utf8', ...as });
    expect(status, stderr).to.equal(1);
    return stderr.trimEnd().split('\n').at(-1) ?? '';
  };

  it('names the registry that is away, and what to look at', async () => {
    await needs('left', '1.0.0');
    const line = said();
    expect(line).to.contain(AWAY).and.contain('ECONNREFUSED').and.contain(join(folder, 'node_modules'));
    expect(line).to.contain('npm config get registry');
  });

  it('names the package that could not be built, and what builds it', async () => {
    const native = join(folder, 'native');
    await mkdir(native);
    const scripts = { install: 'node-gyp rebuild' };
    await writeFile(join(native, 'package.json'), JSON.stringify({ name: 'native', version: '1.0.0', scripts }));
    await writeFile(join(native, 'binding.gyp'), '{"targets":[{"target_name":"native","sources":["native.cc"]}]}');
    await needs('native', 'file:native');
    // Node, npm and a shell, but neither python3 nor make nor a compiler.
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await symlink(process.execPath, join(bin, 'node'));
    await symlink('/bin/sh', join(bin, 'sh'));
    const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    const line = said({ PATH: bin, npm_execpath: realpathSync(npm) });
    expect(line).to.contain('could not be built').and.contain('python3, make and a C++ compiler');
    expect(line).to.contain(join(folder, 'node_modules')).and.contain(process.versions.node);
  });

  it('names the folder that it may not write', async () => {
    await needs('left', '1.0.0');
    await mkdir(join(folder, 'node_modules'));
    const cache = await mkdtemp(join(tmpdir(), 'shipworthy-cache-'));
    await chmod(cache, 0o777);
    // Root may write everywhere.
    const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    await chmod(join(folder, 'node_modules'), 0o555);
    await chmod(folder, 0o555);
    try {
      const line = said({ npm_config_cache: cache, HOME: cache, npm_config_offline: 'false' }, as);
      expect(line)
        .to.contain(join(folder, 'node_modules'))
        .and.contain('EACCES')
        .and.contain('Give this user the right');
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });
});
