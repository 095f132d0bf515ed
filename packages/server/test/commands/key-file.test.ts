import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyBeside, keyPathOf, restoreKey } from '../../src/commands/key-file.js';

describe('the key beside a backup', () => {
  let folder: string;
  let backup: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    backup = join(folder, 'backup');
    path = join(folder, 'shipworthy.sqlite.key');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('takes the place of none, stays where it is the same, and puts another one aside', async () => {
    expect(await restoreKey(backup, path)).to.equal('none');
    await writeFile(keyBeside(backup), 'the key of the backup\n');
    expect(await restoreKey(backup, path)).to.equal('put');
    expect(await readFile(path, 'utf8')).to.equal('the key of the backup\n');
    await writeFile(path, 'the key of the backup');
    expect(await restoreKey(backup, path)).to.equal('same');
    await writeFile(path, 'another key');
    expect(await restoreKey(backup, path)).to.equal('replaced');
    expect(await readFile(path, 'utf8')).to.equal('the key of the backup\n');
    const [aside = ''] = (await readdir(folder)).filter((name) => name.includes('.key.of-'));
    expect(await readFile(join(folder, aside), 'utf8')).to.equal('another key');
  });

  it('is a file unless it is given in the environment', () => {
    expect(keyPathOf({ kind: 'kept', path: '/a' })).to.equal('/a');
    expect(keyPathOf({ kind: 'file', path: '/b' })).to.equal('/b');
    expect(keyPathOf({ kind: 'given', text: 'x' })).to.equal(null);
  });
});
