import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root } from './documents.js';

const SCRIPT = join(root, 'scripts', 'licences.mjs');

/** What the check says of a checkout, and whether it is content. */
const judge = async (checkout: string): Promise<{ readonly content: boolean; readonly said: string }> => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, checkout]);
    return { content: true, said: stdout };
  } catch (error) {
    return { content: false, said: (error as { readonly stdout: string }).stdout };
  }
};

describe('the licences of dependencies', () => {
  let checkout = '';
  const write = async (path: string, content: unknown): Promise<void> => {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  /** Of an app that depends on `run`, bundles `taken` and is tested with `tool`; `run` needs `deep`. All MIT unless said. */
  const judged = async (said: Readonly<Record<string, string | undefined>>) => {
    const licensed = (path: string) => ({ license: path in said ? said[path] : 'MIT' });
    const packages = {
      '': {},
      'packages/app': { dependencies: { run: '1' }, devDependencies: { taken: '1', tool: '1' } },
      'node_modules/app': { link: true, resolved: 'packages/app' },
      'node_modules/run': { ...licensed('run'), dependencies: { deep: '1' } },
      'node_modules/run/node_modules/deep': licensed('run/node_modules/deep'),
      'node_modules/taken': licensed('taken'),
      'node_modules/tool': licensed('tool'),
    };
    await write('package-lock.json', { packages });
    return judge(checkout);
  };

  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'licences-'));
    await write('packages/app/package.json', { name: 'app' });
    await write('packages/app/src/main.ts', "import { take } from 'taken/part';\nimport './near.js';\n");
  });
  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('are all allowed here, and most of what is installed is no part of what is shipped', async () => {
    const { content, said } = await judge(root);
    expect(said)
      .to.match(/packages\/server/)
      .and.to.match(/: 0 breaches\n$/);
    expect(content).to.equal(true);
    const [, all = '0', shipped = '0'] = /(\d+) dependencies, (\d+) of them shipped/.exec(said) ?? [];
    expect(Number(shipped)).to.be.within(50, Number(all) / 2);
  });

  it('are held stricter for what is shipped, however deep, and for what a bundle takes in', async () => {
    expect(await judged({ tool: 'MPL-2.0' })).to.have.property('content', true);
    for (const path of ['run/node_modules/deep', 'taken']) {
      const { content, said } = await judged({ [path]: 'MPL-2.0' });
      expect(said).to.contain(`node_modules/${path}: MPL-2.0 is not allowed for what is shipped\n`);
      expect(content).to.equal(false);
    }
  });

  it('are refused when they are unknown, missing or only half allowed', async () => {
    for (const licence of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE', '(MIT', 'MIT MIT', ''])
      expect(await judged({ tool: licence }), licence).to.have.property('content', false);
    expect((await judged({ tool: undefined })).said).to.contain('node_modules/tool: no licence is named');
    for (const licence of ['(GPL-3.0-only OR MIT)', 'MIT AND (ISC OR GPL-3.0-only)'])
      expect(await judged({ tool: licence }), licence).to.have.property('content', true);
  });

  it('are those of the installed packages, not of the lock file', async () => {
    await write('node_modules/run/package.json', { name: 'run', license: 'AGPL-3.0-only' });
    expect((await judged({})).said).to.contain('node_modules/run: AGPL-3.0-only is not allowed');
  });
});
