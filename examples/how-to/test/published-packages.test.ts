import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { publint } from 'publint';
import { type Packed, packAll, readManifest, run } from './tarballs.js';

describe('the packages that are published', () => {
  let work: string;
  let tarballs: Packed['tarballs'];
  let unpack: Packed['unpack'];
  let remove: Packed['remove'];
  before(async () => {
    ({ work, tarballs, unpack, remove } = await packAll());
  });
  after(() => remove());

  it('are the engine, the client, adapters, server, application and command', () => {
    expect([...tarballs.keys()].sort()).to.deep.equal(['adapters', 'cli', 'client', 'domain', 'server', 'web']);
  });

  for (const name of ['adapters', 'cli', 'client', 'domain', 'server', 'web']) {
    it(`hold what users of ${name} need, and nothing of the workspace`, async () => {
      const home = await unpack(name, join(work, 'lint'));
      expect(await readdir(home)).to.include.members(['LICENSE', 'README.md', 'package.json']);
      const manifest = await readManifest(home);
      expect(manifest).to.not.have.any.keys('scripts', 'devDependencies', 'private');
      expect(manifest.publishConfig).to.deep.equal({ access: 'public', provenance: true });
      for (const target of Object.values(manifest.exports))
        for (const file of typeof target === 'string' ? [target] : [target.types, target.default])
          expect(existsSync(join(home, file)), file).to.equal(true);
      const { messages } = await publint({ pkgDir: home, strict: true });
      expect(messages.filter(({ type }) => type !== 'suggestion')).to.deep.equal([]);
    });

    it(`have types for ${name} that are right wherever it can be imported`, async () => {
      const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarballs.get(name) ?? '')));
      const problems = 'problems' in analysis ? analysis.problems : [];
      // Files for browsers and a command have none.
      expect(analysis.types !== false).to.equal(name !== 'web' && name !== 'cli');
      // They are ES modules: require() of an old Node and the resolution of Node 10 are not offered.
      const offered = problems.filter(
        (problem) => !('resolutionKind' in problem) || /^(?:node16-esm|bundler)$/.test(problem.resolutionKind),
      );
      expect(offered).to.deep.equal([]);
    });
  }

  it('could be published', async () => {
    const home = await mkdtemp(join(work, 'npm-'));
    const env = { PATH: process.env.PATH, HOME: home, npm_config_cache: join(home, 'cache') };
    const { stdout } = await run('npm', ['publish', '--dry-run', tarballs.get('server') ?? ''], { cwd: home, env });
    expect(stdout).to.contain('+ @shipworthy/server@');
  });

  it('show their sources where a debugger or an editor looks for them', async () => {
    const home = await unpack('domain', join(work, 'lint'));
    const map = join(home, 'dist', 'src', 'readiness', 'index.js.map');
    const { sources } = JSON.parse(await readFile(map, 'utf8')) as { readonly sources: readonly string[] };
    for (const source of sources) expect(existsSync(join(dirname(map), source)), source).to.equal(true);
  });

  it('declare what the client takes and answers in short: no file is longer than 150 kB', async () => {
    const declared = join(await unpack('client', join(work, 'lint')), 'dist', 'src', 'contract');
    const files = (await readdir(declared)).filter((name) => name.endsWith('.d.ts'));
    expect(files.length).to.be.greaterThan(30);
    for (const name of files) expect((await stat(join(declared, name))).size, name).to.be.lessThan(150_000);
  });
});
