import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oldNodeFault } from '@shipworthy/client/node-version';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** No Node could load it. */
const NEWER_SYNTAX = 'export const x = @@@ ;\n';

describe('a Node that is too old', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-node-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is one before 20.19', () => {
    for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.11.1'])
      expect(oldNodeFault(version)).to.equal(undefined);
    for (const version of ['20.18.3', '18.20.8', '16.20.2', '4.9.1'])
      expect(oldNodeFault(version)).to.contain('Node 20.19 or later').and.contain(version).and.contain('nodejs.org');
  });

  /** Runs a program by a Node that says it is another version. */
  const runAs = (version: string, program: string, ...words: readonly string[]) => {
    const versions = `Object.defineProperty(process,'versions',{value:{node:'${version}'}})`;
    const NODE_OPTIONS = `--import=data:text/javascript,${versions}`;
    const env = { PATH: process.env.PATH, HOME: folder, NODE_OPTIONS };
    return spawnSync(process.execPath, [program, ...words], { cwd: folder, env, encoding: 'utf8' });
  };
  const refused = /^(Error|error)?:? ?Shipworthy needs Node 20\.19 or later; this is 18\.20\.8\. [^\n]+\n$/;

  it('is refused by the server in one line, before anything that it might not understand is loaded', async () => {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await cp(join(ROOT, 'packages/server/dist/src/main.js'), join(folder, 'main.js'));
    for (const room of ['commands', 'routes']) await mkdir(join(folder, room));
    for (const file of ['commands/outside.js', 'commands/run.js', 'routes/index.js'])
      await writeFile(join(folder, file), NEWER_SYNTAX);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { status, stderr, stdout } = runAs('18.20.8', join(folder, 'main.js'), 'start');
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(refused);
    expect(runAs('20.19.0', join(folder, 'main.js'), 'start').stderr).to.contain('SyntaxError');
  });

  it('is refused by the command in one line, before anything that it might not understand is loaded', async () => {
    const bundle = join(folder, 'bundle');
    await cp(join(ROOT, 'packages/cli/dist/bundle'), bundle, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module","version":"0.0.0"}');
    for (const name of await readdir(bundle))
      if (name.startsWith('process-world-')) await writeFile(join(bundle, name), NEWER_SYNTAX);
    const { status, stderr, stdout } = runAs('18.20.8', join(bundle, 'main.js'), 'gate');
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(refused);
    expect(runAs('20.19.0', join(bundle, 'main.js'), 'gate').stderr).to.contain('SyntaxError');
  });

  it('is refused by npm start, before anything is installed', async () => {
    await mkdir(join(folder, 'scripts'));
    for (const name of ['prepare', 'install-fault', 'locked-packages'])
      await cp(join(ROOT, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`));
    await writeFile(join(folder, 'scripts', 'bundle-cli.mjs'), NEWER_SYNTAX);
    const { status, stderr } = runAs('18.20.8', join(folder, 'scripts', 'prepare.mjs'));
    expect(status).to.equal(1);
    expect(stderr).to.match(refused);
  });
});
