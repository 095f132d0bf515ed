import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readDocument, root } from './documents.js';

/** The files in which a sixth name among the axes does not compile. */
const brokenBySixthAxis = async (folder: string): Promise<readonly string[]> => {
  await cp(join(root, 'packages/domain/src'), join(folder, 'src'), { recursive: true });
  const names = join(folder, 'src/readiness/axis.ts');
  const text = await readFile(names, 'utf8');
  await writeFile(names, text.replace("'stability'] as const", "'stability', 'security'] as const"));
  const compilerOptions = { rootDir: 'src', noEmit: true, composite: false };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  return [...new Set([...stdout.matchAll(/^src\/(\S+?)\(/gm)].map(([, file]) => `packages/domain/src/${file}`))];
};

describe('the how-to of a further axis', () => {
  it('names every place where the compiler stops, and no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'add-an-axis-'));
    try {
      const { text } = readDocument('docs/how-to/add-an-axis.md');
      const said = [...text.matchAll(/^- `(packages\/domain\/\S+)`: /gm)].map(([, path]) => path);
      expect((await brokenBySixthAxis(folder)).toSorted()).to.deep.equal(said.toSorted());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
